import { joinBody } from "#lib/contracts/invitations";
import { acceptInvitation } from "#lib/flows/accept-invitation";
import { problemResponse } from "#lib/http/problem";
import { assertSameOrigin, jsonOf, parse } from "#lib/http/read-request";

/** Accepts an invitation. Public: the one-time link is the permission. */
export async function POST(request: Request): Promise<Response> {
  try {
    assertSameOrigin(request);
    const cookie = await acceptInvitation(request.headers, parse(joinBody, jsonOf(request, await request.text())));
    return new Response(null, { status: 204, headers: { "cache-control": "no-store", ...(cookie && { "set-cookie": cookie }) } });
  } catch (error) {
    return problemResponse(error);
  }
}
