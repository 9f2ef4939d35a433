import * as z from "zod/mini";
import { sessionCookieName } from "#lib/auth/credentials";
import { PERMISSIONS } from "#lib/auth/permissions";
import { ERROR_CODES, type ErrorCode, problemSchema } from "#lib/contracts/api/app-error";
import {
  type ApiAnswer,
  type ApiDocument,
  type ApiOperation,
  type ApiParameter,
  type JsonSchema,
  schemaNames,
} from "#lib/contracts/api/openapi";
import { parameterWords, withExample } from "./parameter-meanings.ts";
import { type AnswerBody, isSchema, type RouteDeclaration } from "./route-declaration.ts";

type Json = { [name: string]: unknown };

/** One method of one URL: `{ path: "/api/v1/events/{id}", method: "GET" }`. */
export type ApiRoute = { path: string; method: string; declaration: RouteDeclaration };

const STATUS_WORDS: Record<number, string> = { 200: "OK", 201: "Created", 202: "Accepted", 204: "No content" };

/** Returns the OpenAPI 3.1 document of these routes, made from their declarations. */
export function openApiDocument(routes: ApiRoute[], { serverUrl, version }: { serverUrl: string; version: string }): ApiDocument {
  const components = new Components();
  const problem = components.refer(problemSchema, "output");
  const paths: ApiDocument["paths"] = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, { [route.method.toLowerCase()]: operationOf(route, components) });
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Signalbox API",
      version,
      description: DESCRIPTION,
      contact: { name: "Whoever runs this installation", url: serverUrl },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl, description: "This installation" }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name, ...(TAGS[name] && { description: TAGS[name] }) })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", bearerFormat: "sbx_…", description: "An API key, created in Settings > API keys." },
        session: { type: "apiKey", in: "cookie", name: sessionCookieName(), description: "A signed-in user's browser session." },
      },
      headers: HEADERS,
      responses: Object.fromEntries(
        routes.flatMap((route) => problemsOf(route).map((codes) => [codes.join("-or-"), answerOf(codes, problem)])),
      ),
      schemas: components.schemas,
    },
  };
}

const DESCRIPTION = [
  "Lists return `{ data, nextCursor }`; send `nextCursor` as `cursor` to get the next page. Times are ISO 8601 UTC.",
  "Errors are `application/problem+json` (RFC 9457) with a stable `code`.",
  "Every response includes the rate limit (`RateLimit`, `RateLimit-Policy`).",
  "A POST can carry an `Idempotency-Key`: sent again with the same body within 24 hours, it returns the same response and runs only once.",
].join("\n\n");

const HEADERS = {
  RateLimit: { description: 'Remaining quota: `"api";r=<requests left>;t=<seconds until it resets>`.', schema: { type: "string" } },
  RateLimitPolicy: { description: 'The quota: `"api";q=<requests>;w=<seconds>`.', schema: { type: "string" } },
};
const RATE_HEADERS = {
  RateLimit: { $ref: "#/components/headers/RateLimit" },
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
};

function operationOf(route: ApiRoute, components: Components): ApiOperation {
  const { declaration, method, path } = route;
  const { roles } = PERMISSIONS[declaration.operation];
  return {
    operationId: operationIdOf(method, path),
    tags: [tagOf(route)],
    summary: declaration.summary,
    description: descriptionOf(declaration, roles),
    "x-roles": roles,
    parameters: [...parametersOf(route, "path"), ...parametersOf(route, "query"), ...(method === "POST" ? [idempotencyKey()] : [])],
    ...(declaration.body && {
      requestBody: {
        required: !declaration.body.safeParse({}).success,
        content: { "application/json": { schema: components.refer(declaration.body, "input"), example: declaration.example.body ?? {} } },
      },
    }),
    responses: {
      ...successes(declaration, components),
      ...Object.fromEntries(
        problemsOf(route).map((codes) => [statusOf(codes[0]), { $ref: `#/components/responses/${codes.join("-or-")}` }]),
      ),
    },
  };
}

const PROOF = "must have signed in or confirmed who they are within the last 15 minutes; API keys are not asked.";

const proofWords = (confirms: RouteDeclaration["confirms"]): string | undefined =>
  confirms &&
  (confirms === "always" ? `A person ${PROOF}` : `With ${confirms.map((field) => `\`${field}\``).join(" or ")}, a person ${PROOF}`);

const descriptionOf = ({ description, confirms }: RouteDeclaration, roles: readonly string[]): string =>
  [description, proofWords(confirms), `Allowed roles: ${roles.join(", ")}.`].filter(Boolean).join(" ");

function idempotencyKey(): ApiParameter {
  const { meaning = "", example } = parameterWords("", "", "Idempotency-Key") ?? {};
  const schema = withExample({ type: "string", minLength: 1, maxLength: 200 }, example);
  return { name: "Idempotency-Key", in: "header", required: false, description: meaning, schema };
}

function parametersOf(route: ApiRoute, where: "path" | "query"): ApiParameter[] {
  const { declaration, method, path } = route;
  const schema = where === "path" ? declaration.params : declaration.query;
  const given = (where === "path" ? declaration.example.params : declaration.example.query) ?? {};
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input", reused: "inline" });
  return Object.entries(properties).map(([name, property]) => {
    const words = parameterWords(operationIdOf(method, path), tagOf(route), name);
    const own = given[name] === undefined ? undefined : exampleOf(property as JsonSchema, given[name]);
    return {
      name,
      in: where,
      required: where === "path" || required.includes(name),
      ...(words?.meaning !== undefined && { description: words.meaning }),
      schema: withExample(property as JsonSchema, words?.example),
      ...(own !== undefined && { example: own }),
    };
  });
}

/** Returns an example's text as the value that the schema asks for. */
function exampleOf({ type }: JsonSchema, text: string): unknown {
  if (type === "array") return [text];
  return type === "integer" || type === "number" ? Number(text) : text;
}

function successes({ answers }: RouteDeclaration, components: Components): Record<string, ApiAnswer> {
  const entries = Object.entries(answers).map(([status, answer]) => {
    const words = { description: STATUS_WORDS[Number(status)] ?? "OK", headers: RATE_HEADERS };
    return [status, answer === null ? words : { ...words, content: contentOf(answer, components) }];
  });
  return Object.fromEntries(entries);
}

function contentOf(answer: Exclude<AnswerBody, null>, components: Components): NonNullable<ApiAnswer["content"]> {
  if (isSchema(answer)) return { "application/json": { schema: components.refer(answer, "output") } };
  return { [answer.mediaType]: { schema: answer.schema ? components.refer(answer.schema, "output") : { type: "string" } } };
}

/** Returns the codes of the problems that an operation may answer, those of one status together. */
function problemsOf({ method, declaration }: ApiRoute): [ErrorCode, ...ErrorCode[]][] {
  const codes: ErrorCode[] = ["invalid_request", "unauthenticated", "forbidden", "too_many_requests", "unavailable", "internal"];
  if (declaration.params) codes.push("not_found");
  if (declaration.body) codes.push("unsupported_media_type");
  if (method !== "GET") codes.push("origin_mismatch", "confirmation_required", "sso_confirmation_required", "conflict");
  if (method !== "GET") codes.push("too_large", "too_slow", "overloaded");
  if (method === "POST") codes.push("idempotency_in_progress", "idempotency_outcome_unknown", "idempotency_answer_lost");
  if (method === "POST") codes.push("idempotency_mismatch");
  return Object.values(Object.groupBy([...codes, ...(declaration.problems ?? [])], statusOf)) as [ErrorCode, ...ErrorCode[]][];
}

const statusOf = (code: ErrorCode): number => ERROR_CODES[code][0];

function answerOf(codes: ErrorCode[], schema: JsonSchema): Json {
  const examples = codes.map((code) => {
    const [status, title] = ERROR_CODES[code];
    return [code, { value: { type: `urn:signalbox:problem:${code}`, title, status, code } }];
  });
  return {
    description: codes.map((code) => `${ERROR_CODES[code][1]} (\`${code}\`).`).join(" "),
    content: { "application/problem+json": { schema, examples: Object.fromEntries(examples) } },
  };
}

/** `events` of `/api/v1/events/{id}`. */
const tagOf = ({ path }: ApiRoute): string => path.split("/")[3] ?? "";

/** `getEventsById` of `GET /api/v1/events/{id}`. */
function operationIdOf(method: string, path: string): string {
  const words = path
    .split("/")
    .slice(3)
    .flatMap((part) => (part.startsWith("{") ? ["by", part.slice(1, -1)] : part.split("-")));
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** Collects named schemas, so that each is in the document once. */
class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  refer(schema: z.ZodMiniType, io: "input" | "output"): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...rest
    } = z.toJSONSchema(schema, {
      io,
      metadata: schemaNames,
      reused: "inline",
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        // Undeclared fields of a body are rejected (unknown-fields.ts).
        const { def } = zodSchema._zod;
        if (def.type === "object" && def.catchall === undefined) jsonSchema.additionalProperties = false;
      },
    });
    Object.assign(this.schemas, rewritten($defs));
    const id = schemaNames.get(schema)?.id;
    if (id === undefined) return rewritten(rest);
    // Zod may have moved it into the definitions and left a reference.
    if (!("$ref" in rest)) this.schemas[id] = rewritten(rest);
    return { $ref: `#/components/schemas/${id}` };
  }
}

const rewritten = (schema: object): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;

const TAGS: Record<string, string> = {
  account: "Your own password, second factors, sessions and preferences.",
  "alert-channels": "Where alerts are sent: email, chats, PagerDuty, a webhook.",
  "alert-rules": "Which conditions raise alerts, and when.",
  alerts: "What needs a person, from when it began until it was over, and who was told.",
  "api-keys": "Keys for programs, each with a role.",
  audit: "Who changed what in the workspace, and when.",
  automations: "Automations of the platform, as the events made them.",
  backups: "Copies of the database, their schedule and their verification.",
  connections: "Linked accounts of the platform: state, scopes and expiry, never a token.",
  deliveries: "Events on their way to destinations, with each attempt.",
  destinations: "URLs of your own that events are forwarded to.",
  documents: "Documents of the platform, as the events made them.",
  "event-types": "What each type of event looks like, learned from received events.",
  events: "The log: every verified webhook, newest first.",
  feed: "The log as it grows, as server-sent events.",
  integrations: "Integrations of the platform, as the events made them.",
  invitations: "Invites that are not used yet.",
  issues: "Failures grouped by cause.",
  listeners: "Developers' machines that receive events (`signalbox listen`).",
  "local-deliveries": "What apps on developers' machines answered.",
  mcp: "Tools for assistants, by the Model Context Protocol.",
  members: "The people of the workspace and their roles.",
  "missing-events": "Expected events that were not received.",
  operations: "Long work: progress, stop and resume.",
  outages: "When webhooks may have been lost through Signalbox.",
  overview: "The state of the workspace at a glance.",
  pipelines: "Pipelines of the platform, their boards and throughput.",
  quarantine: "Requests that did not verify or are no valid event, and their release.",
  records: "Records of senders other than the platform.",
  redeliveries: "Events applied again, one or many.",
  retention: "How long events are kept.",
  runs: "Runs of the platform's automations.",
  "saved-filters": "Filters of lists, kept under a name.",
  session: "The session or key that asks, and its workspace.",
  "signature-checks": "Signatures checked against a secret that you send.",
  "source-templates": "Known senders: how they sign and lay out their events.",
  sources: "Where webhooks come from: URL, signing secrets, field mapping.",
  tasks: "Tasks of the platform, as the events made them.",
  views: "The records of all kinds: search, timelines and rebuilds.",
  workspace: "The workspace's name and sign-in policy.",
  workspaces: "The workspaces that you are a member of.",
};
