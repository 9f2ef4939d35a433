import type { z } from "zod";
import { type Actor, authorize } from "#lib/auth/actor";
import { findActor } from "#lib/auth/find-actor";
import type { Operation } from "#lib/auth/permissions";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/app-error";
import { invalidRequest, problemResponse } from "./problem.ts";

type Params = Record<string, string>;

/** What a route declares about itself; `routeRule` reads it back for the inventory of routes. */
export type RouteRule = { operation: Operation };

type Definition<Q extends z.ZodType, B extends z.ZodType> = RouteRule & {
  query?: Q;
  body?: B;
  /** Returns a value for a 200 JSON answer, or a Response of its own. */
  handle: (input: {
    actor: Actor;
    params: Params;
    query: z.infer<Q>;
    body: z.infer<B>;
    request: Request;
    receivedAt: Date;
  }) => Promise<unknown>;
};

type Handler = ((request: Request, context: { params: Promise<Params> }) => Promise<Response>) & { rule?: RouteRule };

/**
 * An API route: finds out who asks, checks the rule, parses query and body by
 * their schemas, calls `handle`, and answers JSON or a problem (RFC 9457).
 * A change asked for by a session must come from our own pages (Origin).
 */
export function defineRoute<Q extends z.ZodType = z.ZodUnknown, B extends z.ZodType = z.ZodUnknown>(definition: Definition<Q, B>): Handler {
  const handler: Handler = async (request, context) => {
    const receivedAt = new Date();
    try {
      const actor = await findActor(request.headers);
      authorize(actor, definition.operation);
      if (actor.by.kind === "session" && !isSafe(request.method)) assertSameOrigin(request);
      const params = await context.params;
      const query = definition.query ? parse(definition.query, queryOf(request)) : undefined;
      const body = definition.body ? parse(definition.body, await jsonBody(request)) : undefined;
      const result = await definition.handle({ actor, params, query: query as z.infer<Q>, body: body as z.infer<B>, request, receivedAt });
      return result instanceof Response ? result : Response.json(result, { headers: { "cache-control": "no-store" } });
    } catch (error) {
      return problemResponse(error);
    }
  };
  handler.rule = { operation: definition.operation };
  return handler;
}

const isSafe = (method: string) => method === "GET" || method === "HEAD" || method === "OPTIONS";

/** Refuses a cross-site change (CSRF): a browser always sends Origin with one. */
export function assertSameOrigin(request: Request): void {
  const origin = request.headers.get("origin");
  if (origin !== new URL(env().APP_URL).origin) throw new AppError("origin_mismatch", `Open Signalbox at ${env().APP_URL} and try again.`);
}

function parse<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidRequest(parsed.error);
  return parsed.data;
}

/** `?a=1&b=2&b=3` as `{ a: "1", b: ["2", "3"] }`. */
function queryOf(request: Request): Record<string, string | string[]> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? "")];
    }),
  );
}

async function jsonBody(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text === "") return {};
  if (!request.headers.get("content-type")?.startsWith("application/json"))
    throw new AppError("unsupported_media_type", "The body must be JSON.");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_request", "The body is not valid JSON.", { cause });
  }
}
