import type { NextAuthOptions, User } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { env } from "#lib/config/env";
import { safeReturnTo } from "#lib/contracts/return-to";
import { logger } from "#lib/observability/logger";
import { hashToken } from "#lib/vault/opaque-token";
import { decodeSession, encodeSession } from "./opaque-session.ts";
import { cookiesAreSecure, sessionCookieName, sessionIdOf } from "./session-cookie.ts";
import { deleteSession, SESSION_SECONDS } from "./session-store.ts";
import { signIn } from "./sign-in.ts";
import { findByEmail, homeWorkspaceOf } from "./user-store.ts";

const credentialsBody = z.object({ email: z.email().max(254), password: z.string().min(1).max(1000) });

/**
 * next-auth, with opaque sessions: its cookie holds a random id instead of a
 * token, so that deleting the row ends the session at once.
 *
 * @param headers the request's: whose browser it is, and the session that a new sign-in replaces
 */
export function nextAuthOptions(headers: Headers): NextAuthOptions {
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
    jwt: { maxAge: SESSION_SECONDS, encode: ({ token }) => encodeSession(token, headers), decode: ({ token }) => decodeSession(token) },
    providers: [passwordProvider, ...oidcProvider()],
    callbacks: {
      signIn: ({ user, account, profile }) => mayEnter(user, account?.provider, profile),
      jwt: async ({ token, account, user }) => (account?.provider === "oidc" ? { ...token, sub: await ownIdOf(user) } : token),
      redirect: ({ url, baseUrl }) => baseUrl + safeReturnTo(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url),
    },
    events: { signOut: () => endSession(headers) },
    logger: quietLogger,
  };
}

const passwordProvider = Credentials({
  credentials: { email: { type: "email" }, password: { type: "password" } },
  async authorize(raw) {
    const parsed = credentialsBody.safeParse(raw);
    if (!parsed.success) return null;
    const result = await signIn(parsed.data.email, parsed.data.password).catch(unavailable);
    // What is thrown here ends in the address bar: a code, never a message.
    if (result.outcome === "locked") throw new Error("locked");
    return result.outcome === "signed_in" ? result.user : null;
  },
});

function unavailable(error: unknown): never {
  logger().error({ err: error }, "sign-in failed for a reason of ours");
  throw new Error("unavailable");
}

/** Single sign-on, where it is configured. It lets members in; it makes nobody a member. */
function oidcProvider(): OAuthConfig<Record<string, unknown>>[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = env();
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return [];
  return [
    {
      id: "oidc",
      name: "Single sign-on",
      type: "oauth",
      wellKnown: `${OIDC_ISSUER.replace(/\/+$/, "")}/.well-known/openid-configuration`,
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      authorization: { params: { scope: "openid email profile" } },
      profile: (claims) => ({ id: String(claims.sub), email: String(claims.email ?? ""), name: null }),
    },
  ];
}

/** A member of some workspace; by single sign-on only with an address that the provider has verified. */
async function mayEnter(user: User, provider: string | undefined, profile: object | undefined): Promise<boolean> {
  if (provider !== "oidc") return (await homeWorkspaceOf(user.id)) !== null;
  const verified = (profile as { email_verified?: unknown } | undefined)?.email_verified === true;
  const known = verified && user.email ? await findByEmail(user.email) : null;
  return known !== null && (await homeWorkspaceOf(known.id)) !== null;
}

async function ownIdOf(user: User | undefined): Promise<string> {
  return (user?.email && (await findByEmail(user.email))?.id) || "";
}

async function endSession(headers: Headers): Promise<void> {
  const id = sessionIdOf(headers);
  if (id) await deleteSession(hashToken(id));
}

/** next-auth's own logger prints whole objects; ours keeps the code and the error's words. */
const quietLogger = {
  error: (code: string, metadata: unknown) => logger().warn({ authCode: code, reason: reasonOf(metadata) }, "next-auth reports a problem"),
  warn: (code: string) => logger().debug({ authCode: code }, "next-auth warns"),
  debug: () => undefined,
};

function reasonOf(metadata: unknown): string {
  const error = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | null)?.error;
  return error instanceof Error ? error.message : "";
}
