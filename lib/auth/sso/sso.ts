import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { recordAnonymous } from "#lib/auth/audit/audit-anonymous";
import { findByEmail, findFirstWorkspace, normalEmail } from "#lib/auth/members/user-store";
import { listWorkspacesOf } from "#lib/auth/members/workspace-store";
import type { AuthRequest } from "#lib/auth/sign-in/auth-request";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import { isStorableText } from "#lib/contracts/api/bounds";
import { bindSubject, findBySubject, insertSsoMember } from "./sso-store.ts";

type Claims = Record<string, unknown>;

function configured() {
  const { sso } = env();
  if (!sso) throw new AppError("not_found", "Single sign-on is not configured.");
  return sso;
}

/** Time for each request to the provider, in milliseconds: the library's own 3.5 s are too short for a provider that has just started. */
const PROVIDER_TIMEOUT_MS = 10_000;

/** Single sign-on (OpenID Connect Core 1.0), where it is configured: with PKCE, state and nonce. */
export function ssoProvider(): OAuthConfig<Claims>[] {
  const { issuer, clientId, clientSecret } = env().sso ?? {};
  if (!issuer || !clientId || !clientSecret) return [];
  return [
    {
      id: "oidc",
      name: "Single sign-on",
      type: "oauth",
      wellKnown: `${issuer}/.well-known/openid-configuration`,
      clientId,
      clientSecret,
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      httpOptions: { timeout: PROVIDER_TIMEOUT_MS },
      authorization: { params: { scope: "openid email profile" } },
      // Some providers put the address into the ID token, others answer it at the userinfo address alone.
      userinfo: {
        request: async ({ client, tokens }) => {
          const set = tokens as Parameters<typeof client.userinfo>[0] & { claims(): Claims };
          const claims = set.claims();
          return claims.email ? claims : { ...(await client.userinfo(set)), ...claims };
        },
      },
      profile: (claims) => ({ id: String(claims.sub), email: String(claims.email ?? ""), name: null }),
    },
  ];
}

const profileSchema = z.object({
  sub: z.string().min(1).max(255).refine(isStorableText),
  email: z.email().max(254).transform(normalEmail),
  email_verified: z.literal(true),
  // A name is no reason to reject anyone: characters the database can't store are removed from it.
  name: z
    .string()
    .max(120)
    .nullish()
    .transform((name) => name?.replaceAll("\0", "").toWellFormed()),
});

/**
 * Signs in whom the provider has authenticated. Someone who signed in this way before is
 * known by the subject, whatever the address is now. Else the address, which
 * the provider must have verified and which must be of an allowed domain,
 * finds the account, whose password ends; or makes one, when domains are
 * allowed and OIDC_FIRST_ROLE says as what.
 *
 * @returns true, or where to send the browser with the reason
 */
export async function enterBySso(turn: AuthRequest, rawProfile: unknown): Promise<true | string> {
  const result = await findSsoUser(rawProfile, turn.receivedAt);
  if (result.outcome === "rejected") return `/sign-in?error=${result.code}`;
  turn.passwordEnded = result.passwordEnded;
  turn.method = "sso";
  turn.userId = result.userId;
  return true;
}

type SsoResult = { outcome: "entered"; userId: string; passwordEnded: boolean } | { outcome: "rejected"; code: string };
const rejected = (code: string): SsoResult => ({ outcome: "rejected", code });

async function findSsoUser(rawProfile: unknown, now: Date): Promise<SsoResult> {
  const { issuer, allowedDomains } = configured();
  const parsed = profileSchema.safeParse(rawProfile);
  if (!parsed.success) return rejected("SsoUnverified");
  const { sub, email, name } = parsed.data;
  if (allowedDomains.length > 0 && !allowedDomains.includes(email.split("@")[1] ?? "")) return rejected("SsoDomain");
  const known = await findBySubject(issuer, sub);
  if (known) return (await isMember(known)) ? { outcome: "entered", userId: known, passwordEnded: false } : rejected("AccessDenied");
  const account = await findByEmail(email);
  if (!account) return makeMember(issuer, sub, { email, name: name ?? null });
  if (!(await isMember(account.id))) return rejected("AccessDenied");
  const binding = await bindSubject(issuer, sub, account, now);
  // The address has another owner at the provider than when it was first used: addresses change hands.
  if (binding.outcome === "other_identity") {
    await recordAnonymous(account, "sign_in.rejected", { reason: "another identity at the provider has this email address" });
    return rejected("SsoOtherIdentity");
  }
  return { outcome: "entered", userId: account.id, passwordEnded: binding.passwordEnded };
}

const isMember = async (userId: string): Promise<boolean> => (await listWorkspacesOf(userId)).length > 0;

/** Somebody new: a member of the first workspace, where the operator wants that. */
async function makeMember(issuer: string, subject: string, person: { email: string; name: string | null }): Promise<SsoResult> {
  const { allowedDomains, firstRole } = configured();
  const workspaceId = await findFirstWorkspace();
  if (!workspaceId || !firstRole || allowedDomains.length === 0) return rejected("AccessDenied");
  const userId = await insertSsoMember(workspaceId, { issuer, subject, role: firstRole, ...person });
  return { outcome: "entered", userId, passwordEnded: false };
}
