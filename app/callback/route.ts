import { authorize } from "#lib/auth/actor";
import { recordAudit } from "#lib/auth/audit";
import { findActor } from "#lib/auth/find-actor";
import { env } from "#lib/config/env";
import { completeConnect } from "#lib/flows/complete-connect";
import { problemResponse } from "#lib/http/problem";

/** The code stands in this address: it must not be kept or passed on. */
const HEADERS = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * The OAuth redirect target (platform-spec: {app_base_url}/callback). Public:
 * the state decides, and it is bound to the browser's session. Always leads on
 * to an address without the code.
 */
export async function GET(request: Request): Promise<Response> {
  if (isPrefetch(request.headers)) return HEAD();
  try {
    const actor = await findActor(request.headers);
    if (actor) authorize(actor, "connections.manage");
    const { outcome, connectionId } = await completeConnect(actor, new URL(request.url).searchParams);
    if (actor) {
      const action = outcome === "connected" ? "connection.connected" : "connection.failed";
      await recordAudit(actor, { action, ...(connectionId && { target: { kind: "connection", id: connectionId } }), after: { outcome } });
    }
    const location = `${env().APP_URL}/connections${connectionId ? `/${connectionId}` : ""}?outcome=${outcome}`;
    return new Response(null, { status: 303, headers: { ...HEADERS, location } });
  } catch (error) {
    return problemResponse(error, HEADERS);
  }
}

/** A browser that looks ahead has no person behind it: the state is for the person. */
const isPrefetch = (headers: Headers) => ["sec-purpose", "purpose", "x-moz"].some((name) => headers.get(name)?.includes("prefetch"));

/** Link previews ask HEAD first: that must not use the state up. */
export function HEAD(): Response {
  return new Response(null, { status: 204, headers: HEADERS });
}
