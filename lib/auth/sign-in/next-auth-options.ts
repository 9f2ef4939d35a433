import type { NextAuthOptions } from "next-auth";
import type { JWTDecodeParams, JWTEncodeParams } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { z } from "zod";
import { cookiePort, cookiesAreSecure, sessionCookieName, sessionIdOf } from "#lib/auth/credentials";
import { listWorkspacesOf } from "#lib/auth/members/workspace-store";
import { decodeSession, encodeSession } from "#lib/auth/opaque-session";
import { deleteSession, SESSION_SECONDS } from "#lib/auth/session-store";
import { env } from "#lib/config/env";
import { safeReturnTo } from "#lib/contracts/safe-urls";
import { logger } from "#lib/observability/logger";
import { hashToken } from "#lib/vault/opaque-token";
import { type AuthRequest, notingOutage } from "./auth-request.ts";
import { signIn } from "./sign-in.ts";
import { enterBySso, ssoProvider } from "./sso.ts";

type Entering = Parameters<NonNullable<NonNullable<NextAuthOptions["callbacks"]>["signIn"]>>[0];

const credentialsBody = z.object({ email: z.email().max(254), password: z.string().min(1).max(1000) });

/** Configures next-auth with opaque sessions: the cookie holds a random ID, so that deleting the row ends the session at once. */
export function nextAuthOptions(turn: AuthRequest): NextAuthOptions {
  const { NEXTAUTH_SECRET } = env();
  return {
    ...(NEXTAUTH_SECRET && { secret: NEXTAUTH_SECRET }),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/sign-in" },
    useSecureCookies: cookiesAreSecure(),
    cookies: nextAuthCookies(),
    jwt: {
      maxAge: SESSION_SECONDS,
      encode: notingOutage(turn, ({ token }: JWTEncodeParams) => encodeSession(token, turn)),
      decode: notingOutage(turn, ({ token }: JWTDecodeParams) => decodeSession(token, turn.receivedAt)),
    },
    providers: [passwordProvider(turn), ...ssoProvider()],
    callbacks: {
      signIn: notingOutage(turn, async ({ user, account, profile }: Entering) =>
        account?.provider === "oidc" ? enterBySso(turn, profile) : enterByPassword(turn, user.id),
      ),
      jwt: ({ token, account }) => (account && turn.userId ? { ...token, sub: turn.userId } : token),
      redirect: ({ url, baseUrl }) => baseUrl + safeReturnTo(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url),
    },
    events: { signOut: notingOutage(turn, () => endSession(turn.headers)) },
    logger: quietLogger(turn),
  };
}

const TURN_SECONDS = 900;

/** Names next-auth's own cookies by the port as well: a sign-in under way here must not lose its state to another installation. */
function nextAuthCookies(): NonNullable<NextAuthOptions["cookies"]> {
  const [port, secure] = [cookiePort(), cookiesAreSecure()];
  const named = (name: string, prefix = "__Secure-", more = {}) => ({
    name: `${secure ? prefix : ""}next-auth${port}.${name}`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure, ...more },
  });
  return {
    sessionToken: { ...named(""), name: sessionCookieName() },
    callbackUrl: named("callback-url"),
    csrfToken: named("csrf-token", "__Host-"),
    pkceCodeVerifier: named("pkce.code_verifier", "__Secure-", { maxAge: TURN_SECONDS }),
    state: named("state", "__Secure-", { maxAge: TURN_SECONDS }),
    nonce: named("nonce"),
  };
}

const passwordProvider = (turn: AuthRequest) =>
  Credentials({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    async authorize(raw) {
      const parsed = credentialsBody.safeParse(raw);
      if (!parsed.success) return null;
      const result = await notingOutage(turn, signIn)({ ...parsed.data, deviceHash: turn.deviceHash }, turn.receivedAt);
      // The message ends up in the address bar: a code, never a sentence.
      if (result.outcome === "locked") throw new Error(`locked-${minutesUntil(result.until, turn.receivedAt)}`);
      return result.outcome === "signed_in" ? result.user : null;
    },
  });

const minutesUntil = (until: Date, now: Date): number => Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 60_000));

/** Rejects an account without a workspace. */
async function enterByPassword(turn: AuthRequest, userId: string): Promise<boolean> {
  if ((await listWorkspacesOf(userId)).length === 0) return false;
  turn.userId = userId;
  return true;
}

async function endSession(headers: Headers): Promise<void> {
  const id = sessionIdOf(headers);
  if (id) await deleteSession(hashToken(id));
}

/** Logs code and message alone; next-auth's own logger prints whole objects. */
const quietLogger = (turn: AuthRequest) => ({
  error: (code: string, metadata: unknown) => {
    const reason = reasonOf(metadata);
    if (code.startsWith("OAUTH_CALLBACK")) turn.fault = reason;
    logger().warn({ authCode: code, reason }, "next-auth reported an error");
  },
  warn: (code: string) => logger().debug({ authCode: code }, "next-auth reported a warning"),
  debug: () => undefined,
});

function reasonOf(metadata: unknown): string {
  const error = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | null)?.error;
  return error instanceof Error ? error.message : "";
}
