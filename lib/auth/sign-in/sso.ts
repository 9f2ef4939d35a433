import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { recordAnonymous } from "#lib/auth/audit/audit-anonymous";
import { findByEmail, findFirstWorkspace, normalEmail } from "#lib/auth/members/user-store";
import { listWorkspacesOf } from "#lib/auth/members/workspace-store";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import { isStorableText } from "#lib/contracts/api/bounds";
import type { AuthRequest } from "./auth-request.ts";
import { bindSubject, findBySubject, insertSsoMember } from "./sso-store.ts";

type Claims = Record<string, unknown>;

function configured() {
  const { sso } = env();
  if (!sso) throw new AppError("not_found", "Single sign-on is not configured.");
  return sso;
}

/** The library's 3.5 s are too short for a provider that has just started. */
const PROVIDER_TIMEOUT_MS = 10_000;

/** Returns the provider (OpenID Connect Core 1.0), or nothing if it isn't configured. */
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
      // Some providers give the email address only at the userinfo URL.
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
  // A name is no reason to reject anyone.
  name: z
    .string()
    .max(120)
    .nullish()
    .transform((name) => name?.replaceAll("\0", "").toWellFormed()),
});

/** Signs in by subject, else verified address of an allowed domain, else as a new member (OIDC_FIRST_ROLE). @returns true or a redirect */
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
  // Addresses change hands: at the provider this one had another owner when it was first used.
  if (binding.outcome === "other_identity") {
    await recordAnonymous(account, "sign_in.rejected", { reason: "another identity at the provider has this email address" });
    return rejected("SsoOtherIdentity");
  }
  return { outcome: "entered", userId: account.id, passwordEnded: binding.passwordEnded };
}

const isMember = async (userId: string): Promise<boolean> => (await listWorkspacesOf(userId)).length > 0;

async function makeMember(issuer: string, subject: string, person: { email: string; name: string | null }): Promise<SsoResult> {
  const { allowedDomains, firstRole } = configured();
  const workspaceId = await findFirstWorkspace();
  if (!workspaceId || !firstRole || allowedDomains.length === 0) return rejected("AccessDenied");
  const userId = await insertSsoMember(workspaceId, { issuer, subject, role: firstRole, ...person });
  return { outcome: "entered", userId, passwordEnded: false };
}
