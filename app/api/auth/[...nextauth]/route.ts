import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { nextAuthOptions } from "#lib/auth/next-auth-options";
import { pinNextAuthUrl } from "#lib/config/next-auth-url";

type Context = { params: Promise<{ nextauth: string[] }> };

/** Sign-in and sign-out, by next-auth. Public: it is where sessions come from. */
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const [action] = (await context.params).nextauth;
  // Its client-side log would let anyone write into ours.
  if (action === "_log") return new Response(null, { status: 204 });
  pinNextAuthUrl();
  return NextAuth(request, context, nextAuthOptions(request.headers));
}

export { handle as GET, handle as POST };
