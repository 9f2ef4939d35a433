import type * as z from "zod/mini";
import { type Actor, authorize, requireProof } from "#lib/auth/actor";
import { type Audit, auditOf, type Context, type RequestAudit } from "#lib/auth/audit/audit";
import { findActor, rejectExpiredKey } from "#lib/auth/find-actor";
import { BUILD, PRODUCT_VERSION } from "#lib/config/product";
import { AppError } from "#lib/contracts/api/app-error";
import { problemResponse } from "#lib/http/problem";
import { bodyTextOf } from "#lib/http/request-body";
import { logger } from "#lib/observability/logger";
import { idempotencyKeyOf, onlyOnce } from "./idempotency.ts";
import { assertReadable, assertSameOrigin, isSafe, jsonOf, jsonOrNull, parse, queryOf, withExactFields } from "./read-request.ts";
import { countRequest, inTurn } from "./request-limits.ts";
import type { RouteDeclaration } from "./route-declaration.ts";
import { assertKnownFields, assertKnownParameters } from "./unknown-fields.ts";
import { withPages } from "./whole-list.ts";

type Input<P extends z.ZodMiniType, Q extends z.ZodMiniType, B extends z.ZodMiniType> = {
  actor: Actor;
  /** Every method that changes something must record it here. */
  audit: Audit;
  context: Context;
  params: z.infer<P>;
  query: z.infer<Q>;
  body: z.infer<B>;
  request: Request;
  receivedAt: Date;
};

type Definition<P extends z.ZodMiniType, Q extends z.ZodMiniType, B extends z.ZodMiniType> = RouteDeclaration & {
  params?: P;
  query?: Q;
  body?: B;
  /** Returns a value, answered as JSON with the first status of `answers`; nothing, answered 204; or a Response. */
  handle: (input: Input<P, Q, B>) => Promise<unknown>;
};

type Handler = ((request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>) & {
  /** Absent from routes that are made without defineRoute. */
  declaration?: RouteDeclaration;
};

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

type Define<Taken extends Method> = <
  M extends Exclude<Method, Taken>,
  P extends z.ZodMiniType = z.ZodMiniObject,
  Q extends z.ZodMiniType = z.ZodMiniUnknown,
  B extends z.ZodMiniType = z.ZodMiniUnknown,
>(
  method: M,
  definition: Definition<P, Q, B>,
) => Routes<M | Taken>;

/** Handlers of all methods of a URL. `and` takes one more method. */
type Routes<Taken extends Method> = Record<Taken, Handler> & Rejections<Taken> & { and: Define<Taken> };

/**
 * Makes an API route: authenticates, authorizes, parses path, query and body, calls `handle`, and answers JSON or a problem (RFC 9457).
 * A change by a session must come from our own pages (Origin) and, if the route says so, needs a recent proof of identity.
 * Requests are counted by user or key, and a POST may carry an Idempotency-Key. Methods that are not defined answer 405.
 *
 * `export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", { … }).and("PUT", { … });`
 */
export const defineRoute: Define<never> = (method, definition) =>
  routesOf({ [method]: handlerOf(definition) } as Record<typeof method, Handler>);

function routesOf<M extends Method>(taken: Record<M, Handler>): Routes<M> {
  const and: Define<M> = (method, definition) =>
    routesOf({ ...taken, [method]: handlerOf(definition) } as Record<M | typeof method, Handler>);
  return { ...taken, ...otherMethods(taken), and };
}

function handlerOf<P extends z.ZodMiniType, Q extends z.ZodMiniType, B extends z.ZodMiniType>(definition: Definition<P, Q, B>): Handler {
  const { handle, take, ...declaration } = withPages(definition);
  const handler: Handler = async (request, context) => {
    const receivedAt = new Date();
    let headers: Record<string, string> = {};
    try {
      const actor = await findActor(request.headers, receivedAt);
      if (actor) headers = await countedHeaders(actor);
      else await rejectExpiredKey(request.headers, receivedAt);
      authorize(actor, definition.operation);
      if (actor.by.kind === "session" && !isSafe(request.method)) assertSameOrigin(request);
      const bodyText = isSafe(request.method) ? "" : await bodyTextOf(request);
      const input = readInput(declaration, request, await context.params, bodyText);
      if (needsProof(definition.confirms, input.body)) requireProof(actor);
      const route = new URL(request.url).pathname;
      const work = async (changed = () => {}) => {
        const audit = auditOf(actor);
        const handleIt = () => {
          const context = { workspaceId: actor.workspaceId, actor, now: new Date(), audit };
          return handle({ actor, audit, context, ...input, request, receivedAt });
        };
        const handled = await inTurn(actor, definition.cost ?? "light", handleIt, request.signal);
        const answer = answerOf(take(handled, input.query, route), definition);
        if (answer.ok) changed();
        if (!isSafe(request.method) && answer.ok && definition.changes !== "nothing") reportUnrecorded(audit, request);
        return answer;
      };
      const key = idempotencyKeyOf(request);
      return withHeaders(await (key === null ? work() : onlyOnce({ actor, route, key, bodyText }, work)), headers);
    } catch (error) {
      if (error instanceof QuotaExceeded) headers = error.headers;
      return problemResponse(error, headers);
    }
  };
  handler.declaration = declaration;
  return handler;
}

const needsProof = (confirms: RouteDeclaration["confirms"], body: unknown): boolean =>
  confirms === "always" || confirms?.some((field) => (body as Record<string, unknown> | undefined)?.[field] !== undefined) === true;

async function countedHeaders(actor: Actor): Promise<Record<string, string>> {
  const counted = await countRequest(actor);
  // Tells a client of another version why a response is unexpected, and a page of the same build that it is as agreed.
  const headers = { ...counted.headers, "signalbox-version": PRODUCT_VERSION, ...(BUILD !== "" && { "signalbox-build": BUILD }) };
  if (counted.exceeded) throw new QuotaExceeded(headers);
  return headers;
}

class QuotaExceeded extends AppError {
  readonly headers: Record<string, string>;
  constructor(headers: Record<string, string>) {
    super("too_many_requests", `Too many requests. Try again in ${headers["retry-after"]} seconds.`);
    this.headers = headers;
  }
}

function answerOf(result: unknown, { answers }: RouteDeclaration): Response {
  if (result instanceof Response) return result;
  const status = result === undefined ? 204 : Number(Object.keys(answers)[0]);
  return status === 204 ? new Response(null, { status }) : Response.json(result, { status, headers: { "cache-control": "no-store" } });
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** Only logs, since the change is already made; a test of every route finds handlers that don't record. */
function reportUnrecorded(audit: RequestAudit, request: Request): void {
  if (audit.settled) return;
  const { pathname } = new URL(request.url);
  logger().error({ method: request.method, path: pathname }, "a request changed something and recorded nothing in the audit log");
}

function readInput<P extends z.ZodMiniType, Q extends z.ZodMiniType, B extends z.ZodMiniType>(
  definition: Omit<Definition<P, Q, B>, "handle">,
  request: Request,
  pathParams: Record<string, string>,
  bodyText: string,
) {
  const queryParams = queryOf(request);
  const json = definition.body ? withExactFields(jsonOf(request, bodyText), bodyText, definition.exactFields) : jsonOrNull(bodyText);
  assertKnownParameters(definition.query, Object.keys(queryParams));
  for (const values of [pathParams, queryParams]) assertReadable(values);
  assertReadable(json, definition.anyText);
  assertKnownFields(definition.body, json);
  return {
    params: (definition.params ? parse(definition.params, pathParams) : {}) as z.infer<P>,
    query: (definition.query ? parse(definition.query, queryParams) : undefined) as z.infer<Q>,
    body: (definition.body ? parse(definition.body, json) : undefined) as z.infer<B>,
  };
}

type Rejection = (() => Promise<Response>) & {
  /** Marks a method that the URL does not accept, for code that lists routes. */
  rejects: true;
};

type Rejections<Taken extends Method> = Record<Exclude<Method, Taken> | "OPTIONS", Rejection>;

/** Returns handlers for OPTIONS and methods not in `taken`: a problem with `Allow` (RFC 9110 section 15.5.6); Next would send no body. */
export function otherMethods<M extends Method>(taken: Record<M, unknown>): Rejections<M> {
  const allowed = METHODS.filter((method) => method in taken).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const allow = [...allowed, "OPTIONS"].join(", ");
  const reject = answering(() =>
    problemResponse(new AppError("method_not_allowed", `This URL accepts ${allowed.join(" and ")}.`), { allow }),
  );
  const others = METHODS.filter((method) => !(method in taken)).map((method) => [method, reject]);
  return { ...Object.fromEntries(others), OPTIONS: answering(() => new Response(null, { status: 204, headers: { allow } })) };
}

const answering = (answer: () => Response): Rejection => Object.assign(async () => answer(), { rejects: true as const });
