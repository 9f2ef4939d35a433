import { authorize } from "#lib/auth/actor";
import { findActor } from "#lib/auth/find-actor";
import { env } from "#lib/config/env";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import { completeConnect } from "#lib/flows/connections/complete-connect";
import { isPageRequest } from "#lib/http/page-request";
import { problemResponse } from "#lib/http/problem";

/** The code stands in this address: it must not be kept, nor passed on (as HEADER_RULES of lib/http/security-headers.ts says, too). */
const HEADERS = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * The OAuth redirect target (platform-spec: {app_base_url}/callback). Public: the state decides, and it is bound to
 * the browser's session. Always leads on to an address without the code.
 */
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

/** A browser that looks ahead has no person behind it. */
const isPrefetch = (headers: Headers) => ["sec-purpose", "purpose", "x-moz"].some((name) => headers.get(name)?.includes("prefetch"));

/** Link previews ask HEAD first: that must not use the state up. */
export function HEAD(): Response {
  return new Response(null, { status: 204, headers: HEADERS });
}
