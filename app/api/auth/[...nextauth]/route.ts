import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { nextAuthOptions } from "#lib/auth/next-auth-options";
import { finishTurn, newTurn } from "#lib/auth/sign-in-turn";
import { pinNextAuthUrl } from "#lib/config/next-auth-url";

type Context = { params: Promise<{ nextauth: string[] }> };

/** Sign-in and sign-out, by next-auth. Public: it is where sessions come from. */
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const [action] = (await context.params).nextauth;
  // Its client-side log would let anyone write into ours.
  if (action === "_log") return new Response(null, { status: 204 });
  pinNextAuthUrl();
  const turn = newTurn(request.headers);
  return finishTurn(turn, await NextAuth(request, context, nextAuthOptions(turn)));
}

export { handle as GET, handle as POST };
