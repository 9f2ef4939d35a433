import type * as z from "zod/mini";
import type { Person } from "#lib/auth/actor";
import { type Audit, auditOf } from "#lib/auth/audit/audit";
import { findActor } from "#lib/auth/find-actor";
import { AppError } from "#lib/contracts/api/app-error";
import type { PendingStep } from "#lib/contracts/auth/account";
import { problemResponse } from "#lib/http/problem";
import { bodyTextOf } from "#lib/http/request-body";
import { assertSameOrigin, jsonOf, parseBody } from "./read-request.ts";
import { countRequest } from "./request-limits.ts";

export type StepInput<A, B> = { actor: A; body: B; headers: Headers; now: Date; audit: A extends Person ? Audit : null };
export type StepAnswer = { json?: unknown; cookies?: string[] };

type Step = (request: Request) => Promise<Response>;

/**
 * Makes a step of sign-in, or of setting up a second factor, for our own pages; not part of the API. Open to a session that waits for
 * this step or for nothing, never to an API key. `waitsFor` null: not open to waiting sessions.
 */
export const personStep = <B extends z.ZodMiniType>(
  waitsFor: PendingStep | null,
  body: B,
  handle: (input: StepInput<Person, z.infer<B>>) => Promise<StepAnswer>,
): Step =>
  answering(async (request, now) => {
    const actor = request.headers.has("authorization") ? null : await findActor(request.headers, now, waitsFor);
    if (actor?.by.kind !== "session") throw new AppError("unauthenticated", "Sign in again to continue.");
    const person = { ...actor, by: actor.by };
    const counted = await countRequest(person);
    if (counted.exceeded) throw new AppError("too_many_requests", "Too many requests. Try again in a minute.", { retryAfterSeconds: 60 });
    return handle({ actor: person, body: await bodyOf(request, body), headers: request.headers, now, audit: auditOf(person) });
  });

export const anonymousStep = <B extends z.ZodMiniType>(
  body: B,
  handle: (input: StepInput<null, z.infer<B>>) => Promise<StepAnswer>,
): Step =>
  answering(async (request, now) => handle({ actor: null, body: await bodyOf(request, body), headers: request.headers, now, audit: null }));

const bodyOf = async <B extends z.ZodMiniType>(request: Request, body: B): Promise<z.infer<B>> =>
  parseBody(body, jsonOf(request, await bodyTextOf(request)));

const answering =
  (work: (request: Request, now: Date) => Promise<StepAnswer>): Step =>
  async (request) => {
    try {
      assertSameOrigin(request);
      const { json, cookies = [] } = await work(request, new Date());
      const headers = new Headers({ "cache-control": "no-store" });
      for (const cookie of cookies) headers.append("set-cookie", cookie);
      return json === undefined ? new Response(null, { status: 204, headers }) : Response.json(json, { headers });
    } catch (error) {
      return problemResponse(error);
    }
  };
