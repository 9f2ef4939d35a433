import { assertSameOrigin, jsonOf, parseBody } from "#lib/api/read-request";
import { joinBody } from "#lib/contracts/auth/invitations";
import { acceptInvitation } from "#lib/flows/members/members";
import { problemResponse } from "#lib/http/problem";
import { bodyTextOf } from "#lib/http/request-body";

/** Accepts an invitation. Public: the one-time link is the permission. */
export async function POST(request: Request): Promise<Response> {
  try {
    assertSameOrigin(request);
    const cookie = await acceptInvitation(request.headers, parseBody(joinBody, jsonOf(request, await bodyTextOf(request))), new Date());
    return new Response(null, { status: 204, headers: { "cache-control": "no-store", ...(cookie && { "set-cookie": cookie }) } });
  } catch (error) {
    return problemResponse(error);
  }
}
