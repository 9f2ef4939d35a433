import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { z } from "zod";
import { env } from "#lib/config/env";
import { safeReturnTo } from "#lib/contracts/return-to";
import { logger } from "#lib/observability/logger";
import { hashToken } from "#lib/vault/opaque-token";
import { decodeSession, encodeSession } from "./opaque-session.ts";
import { cookiesAreSecure, sessionCookieName, sessionIdOf } from "./session-cookie.ts";
import { deleteSession, SESSION_SECONDS } from "./session-store.ts";
import { signIn } from "./sign-in.ts";
import type { SignInTurn } from "./sign-in-turn.ts";
import { enterBySso, ssoProvider } from "./sso.ts";
import { workspacesOf } from "./workspace-store.ts";

const credentialsBody = z.object({ email: z.email().max(254), password: z.string().min(1).max(1000) });

/**
 * next-auth, with opaque sessions: its cookie holds a random id instead of a
 * token, so that deleting the row ends the session at once.
 *
 * @param turn the request: whose browser it is, and what is learnt of it on the way
 */
export function nextAuthOptions(turn: SignInTurn): NextAuthOptions {
  const { NEXTAUTH_SECRET } = env();
  return {
    ...(NEXTAUTH_SECRET && { secret: NEXTAUTH_SECRET }),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/sign-in" },
    useSecureCookies: cookiesAreSecure(),
    cookies: {
      sessionToken: {
        name: sessionCookieName(),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: cookiesAreSecure() },
      },
    },
    jwt: { maxAge: SESSION_SECONDS, encode: ({ token }) => encodeSession(token, turn), decode: ({ token }) => decodeSession(token) },
    providers: [passwordProvider(turn), ...ssoProvider()],
    callbacks: {
      signIn: ({ user, account, profile }) => (account?.provider === "oidc" ? enterBySso(turn, profile) : enterByPassword(turn, user.id)),
      jwt: ({ token, account }) => (account && turn.userId ? { ...token, sub: turn.userId } : token),
      redirect: ({ url, baseUrl }) => baseUrl + safeReturnTo(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url),
    },
    events: { signOut: () => endSession(turn.headers) },
    logger: quietLogger(turn),
  };
}

const passwordProvider = (turn: SignInTurn) =>
  Credentials({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    async authorize(raw) {
      const parsed = credentialsBody.safeParse(raw);
      if (!parsed.success) return null;
      const result = await signIn({ ...parsed.data, deviceHash: turn.deviceHash }).catch(unavailable);
      // What is thrown here ends in the address bar: a code, never a message.
      if (result.outcome === "locked") throw new Error(`locked-${minutesUntil(result.until)}`);
      return result.outcome === "signed_in" ? result.user : null;
    },
  });

const minutesUntil = (until: Date): number => Math.max(1, Math.ceil((until.getTime() - Date.now()) / 60_000));

function unavailable(error: unknown): never {
  logger().error({ err: error }, "sign-in failed for a reason of ours");
  throw new Error("unavailable");
}

/** A member of some workspace; there is nothing to see for anyone else. */
async function enterByPassword(turn: SignInTurn, userId: string): Promise<boolean> {
  if ((await workspacesOf(userId)).length === 0) return false;
  turn.userId = userId;
  return true;
}

async function endSession(headers: Headers): Promise<void> {
  const id = sessionIdOf(headers);
  if (id) await deleteSession(hashToken(id));
}

/** next-auth's own logger prints whole objects; ours keeps the code and the error's words. */
const quietLogger = (turn: SignInTurn) => ({
  error: (code: string, metadata: unknown) => {
    const reason = reasonOf(metadata);
    if (code.startsWith("OAUTH_CALLBACK")) turn.fault = reason;
    logger().warn({ authCode: code, reason }, "next-auth reports a problem");
  },
  warn: (code: string) => logger().debug({ authCode: code }, "next-auth warns"),
  debug: () => undefined,
});

function reasonOf(metadata: unknown): string {
  const error = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | null)?.error;
  return error instanceof Error ? error.message : "";
}
