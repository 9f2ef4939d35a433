import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { endEarlierSession } from "#lib/auth/opaque-session";
import { finishAuthRequest, newAuthRequest } from "#lib/auth/sign-in/auth-request";
import { nextAuthOptions } from "#lib/auth/sign-in/next-auth-options";
import { pinNextAuthUrl } from "#lib/config/env";
import { problemResponse } from "#lib/http/problem";
import { bodyTextOf } from "#lib/http/request-body";

type Context = { params: Promise<{ nextauth: string[] }> };

/** Handles sign-in and sign-out by next-auth. Public: it is where sessions come from. */
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const receivedAt = new Date();
  const [action] = (await context.params).nextauth;
  // Its client-side log would let anyone write into ours.
  if (action === "_log") return new Response(null, { status: 204 });
  const bounded = await withBoundedBody(request).catch((error: unknown) => problemResponse(error));
  if (bounded instanceof Response) return bounded;
  pinNextAuthUrl();
  try {
    const turn = newAuthRequest(request.headers, receivedAt);
    const answer = await finishAuthRequest(turn, await NextAuth(bounded, context, nextAuthOptions(turn)));
    if (action === "signout" && request.method === "POST") await endEarlierSession(request.headers);
    return answer;
  } catch (error) {
    return problemResponse(error);
  }
}

/** Bounds the body, because next-auth reads bodies of any size. */
async function withBoundedBody(request: NextRequest): Promise<NextRequest> {
  if (request.body === null) return request;
  const { url, method, headers } = request;
  return new NextRequest(url, { method, headers, body: await bodyTextOf(request) });
}

export { handle as GET, handle as POST };
