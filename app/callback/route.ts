import { authorize } from "#lib/auth/actor";
import { findActor } from "#lib/auth/find-actor";
import { env } from "#lib/config/env";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import { completeConnect } from "#lib/flows/connections/connect";
import { problemResponse } from "#lib/http/problem";
import { isPageRequest } from "#lib/http/request-head";

/** This URL contains the code: it must not be cached, nor leak as a referrer (HEADER_RULES in security-headers.ts says so too). */
const HEADERS = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/** The OAuth redirect target (docs/platform.md). Public: `state` is bound to the browser's session. Redirects to a URL without the code. */
export async function GET(request: Request): Promise<Response> {
  if (isPrefetch(request.headers)) return HEAD();
  try {
    const actor = await findActor(request.headers, new Date());
    if (actor) authorize(actor, "connections.manage");
    const { outcome, connectionId } = await completeConnect(actor, new URL(request.url).searchParams);
    return leadOn(outcome, connectionId);
  } catch (error) {
    const problem = problemResponse(error, HEADERS);
    return isPageRequest(request.headers) ? leadOn(problem.status === 403 ? "not_allowed" : "not_completed", null) : problem;
  }
}

function leadOn(outcome: "connected" | ConnectionProblemCode, connectionId: string | null): Response {
  const location = `${env().APP_URL}/connections${connectionId ? `/${connectionId}` : ""}?outcome=${outcome}`;
  return new Response(null, { status: 303, headers: { ...HEADERS, location } });
}

/** A prefetch must not use up the code: no person asked for it. */
const isPrefetch = (headers: Headers) => ["sec-purpose", "purpose", "x-moz"].some((name) => headers.get(name)?.includes("prefetch"));

/** Link previews send HEAD first, which must not use up the state. */
export function HEAD(): Response {
  return new Response(null, { status: 204, headers: HEADERS });
}
