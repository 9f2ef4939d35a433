import type { z } from "zod";
import { type Actor, authorize } from "#lib/auth/actor";
import { findActor } from "#lib/auth/find-actor";
import { problemResponse } from "./problem.ts";
import { assertSameOrigin, isSafe, jsonOf, parse, queryOf } from "./read-request.ts";
import type { RouteDeclaration } from "./route-declaration.ts";

type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  actor: Actor;
  params: z.infer<P>;
  query: z.infer<Q>;
  body: z.infer<B>;
  request: Request;
  receivedAt: Date;
};

type Definition<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = RouteDeclaration & {
  params?: P;
  query?: Q;
  body?: B;
  /** Returns a value for a 200 JSON answer, or a Response of its own. */
  handle: (input: Input<P, Q, B>) => Promise<unknown>;
};

type Handler = ((request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>) & {
  /** What the route says of itself; absent from routes that are made without defineRoute. */
  declaration?: RouteDeclaration;
};

/**
 * An API route: finds out who asks, checks the rule, parses path, query and
 * body by their schemas, calls `handle`, and answers JSON or a problem (RFC
 * 9457). A change asked for by a session must come from our own pages (Origin).
 */
export function defineRoute<P extends z.ZodType = z.ZodObject, Q extends z.ZodType = z.ZodUnknown, B extends z.ZodType = z.ZodUnknown>(
  definition: Definition<P, Q, B>,
): Handler {
  const { handle, ...declaration } = definition;
  const handler: Handler = async (request, context) => {
    const receivedAt = new Date();
    try {
      const actor = await findActor(request.headers);
      authorize(actor, definition.operation);
      if (actor.by.kind === "session" && !isSafe(request.method)) assertSameOrigin(request);
      const input = await readInput(definition, request, await context.params);
      const result = await handle({ actor, ...input, request, receivedAt });
      return result instanceof Response ? result : Response.json(result, { headers: { "cache-control": "no-store" } });
    } catch (error) {
      return problemResponse(error);
    }
  };
  handler.declaration = declaration;
  return handler;
}

async function readInput<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  definition: Definition<P, Q, B>,
  request: Request,
  pathParams: Record<string, string>,
) {
  return {
    params: (definition.params ? parse(definition.params, pathParams) : {}) as z.infer<P>,
    query: (definition.query ? parse(definition.query, queryOf(request)) : undefined) as z.infer<Q>,
    body: (definition.body ? parse(definition.body, jsonOf(request, await request.text())) : undefined) as z.infer<B>,
  };
}
