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
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", bearerFormat: "sbx_…", description: "An API key, created in Settings > API keys." },
        session: { type: "apiKey", in: "cookie", name: sessionCookieName(), description: "A signed-in user's browser session." },
      },
      headers: HEADERS,
      responses: problemResponses(problem),
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
    ...descriptionOf(declaration),
    "x-roles": roles,
    parameters: [
      ...parametersOf(declaration, "path"),
      ...parametersOf(declaration, "query"),
      ...(method === "POST" ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(declaration.body && {
      requestBody: {
        required: !declaration.body.safeParse({}).success,
        content: { "application/json": { schema: components.refer(declaration.body, "input"), example: declaration.example.body ?? {} } },
      },
    }),
    responses: { ...successes(declaration, components), ...problemsOf(route) },
  };
}

const PROOF = "must have signed in or confirmed who they are within the last 15 minutes; API keys are not asked.";

const proofWords = (confirms: RouteDeclaration["confirms"]): string | undefined =>
  confirms &&
  (confirms === "always" ? `A person ${PROOF}` : `With ${confirms.map((field) => `\`${field}\``).join(" or ")}, a person ${PROOF}`);

function descriptionOf({ description, confirms }: RouteDeclaration): { description?: string } {
  const words = [description, proofWords(confirms)].filter(Boolean).join(" ");
  return words === "" ? {} : { description: words };
}

const IDEMPOTENCY_KEY: ApiParameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "A unique value of your choice, 1 to 200 characters. Sent again within 24 hours, it returns the first response.",
  schema: { type: "string", minLength: 1, maxLength: 200 },
};

function parametersOf(declaration: RouteDeclaration, where: "path" | "query"): ApiParameter[] {
  const schema = where === "path" ? declaration.params : declaration.query;
  const examples = (where === "path" ? declaration.example.params : declaration.example.query) ?? {};
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input", reused: "inline" });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema: property as JsonSchema,
    ...(examples[name] !== undefined && { example: where === "query" && isArray(property) ? [examples[name]] : examples[name] }),
  }));
}

const isArray = (property: unknown) => (property as Json).type === "array";

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

/** Returns the problems that an operation may answer. */
function problemsOf({ method, declaration }: ApiRoute): Record<string, ApiAnswer> {
  const codes: ErrorCode[] = ["invalid_request", "unauthenticated", "forbidden", "too_many_requests", "unavailable", "internal"];
  if (declaration.params) codes.push("not_found");
  if (declaration.body) codes.push("unsupported_media_type");
  if (method !== "GET") codes.push("too_large");
  if (method === "POST") codes.push("conflict", "idempotency_mismatch");
  return Object.fromEntries(codes.map((code) => [ERROR_CODES[code][0], { $ref: `#/components/responses/${code}` }]));
}

function problemResponses(schema: JsonSchema): Json {
  const entries = Object.entries(ERROR_CODES).map(([code, [status, title]]) => [
    code,
    {
      description: `${title}.`,
      content: {
        "application/problem+json": { schema, example: { type: `urn:signalbox:problem:${code}`, title, status, code } },
      },
    },
  ]);
  return Object.fromEntries(entries);
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
