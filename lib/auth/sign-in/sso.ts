import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { recordAnonymous } from "#lib/auth/audit/audit-anonymous";
import { giveRole } from "#lib/auth/members/member-store";
import { findByEmail, findFirstWorkspace, normalEmail } from "#lib/auth/members/user-store";
import { listWorkspacesOf } from "#lib/auth/members/workspace-store";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import { isStorableText } from "#lib/contracts/api/bounds";
import { isVisible } from "#lib/contracts/api/parameters";
import { ROLES } from "#lib/contracts/auth/roles";
import type { Role } from "#lib/contracts/auth/settings";
import { logger } from "#lib/observability/logger";
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
      userinfo: { request: ({ client, tokens }) => readClaims(client, tokens as TokensOf<typeof client>) },
      profile: (claims) => ({ id: String(claims.sub), email: String(claims.email ?? ""), name: null }),
    },
  ];
}

type TokensOf<Client extends { userinfo: (tokens: never) => unknown }> = Parameters<Client["userinfo"]>[0] & { claims(): Claims };
type Userinfo<Tokens> = { issuer: { metadata: { userinfo_endpoint?: string } }; userinfo: (tokens: Tokens) => Promise<Claims> };

/** Asks the userinfo URL for what the ID token leaves open: some providers give address, verification or roles only there. */
async function readClaims<Tokens extends { claims(): Claims }>(client: Userinfo<Tokens>, tokens: Tokens): Promise<Claims> {
  const claims = tokens.claims();
  const { roleClaim } = configured();
  const complete = saysAddress(claims) && (roleClaim === null || valueAt(claims, roleClaim) !== undefined);
  if (complete || !client.issuer.metadata.userinfo_endpoint) return claims;
  try {
    const more = await client.userinfo(tokens);
    // One word on the address: that one was verified says nothing of another.
    const { email, email_verified } = !saysAddress(claims) && more.email ? more : claims;
    // Whole: an ID token with other parts of `resource_access` says nothing of the role.
    const [part = ""] =
      roleClaim === null || valueAt(claims, roleClaim) !== undefined ? [] : roleClaim in more ? [roleClaim] : roleClaim.split(".");
    return { ...more, ...claims, email, email_verified, ...(part && { [part]: more[part] }) };
  } catch (error) {
    if ("code" in readAddress(claims)) throw error;
    logger().warn({ err: error }, "the provider's userinfo URL failed; the ID token was enough to sign in");
    return claims;
  }
}

const saysAddress = ({ email, email_verified }: Claims) => Boolean(email) && (email_verified ?? null) !== null;

const subjectSchema = z.string().min(1).max(255).refine(isStorableText);
const emailSchema = z.email().max(254).transform(normalEmail);

/** Returns the address of the person if the provider, or OIDC_VERIFIED_DOMAINS, vouches for it. */
function readAddress(claims: Claims): { email: string } | { code: string } {
  const { allowedDomains, verifiedDomains } = configured();
  const parsed = emailSchema.safeParse(claims.email);
  if (!parsed.success) return { code: "SsoClaims" };
  const domain = parsed.data.split("@")[1] ?? "";
  const verified = claims.email_verified ?? verifiedDomains.includes(domain);
  if (verified !== true) return { code: "SsoUnverified" };
  return allowedDomains.length === 0 || allowedDomains.includes(domain) ? { email: parsed.data } : { code: "SsoDomain" };
}

/** A name is no reason to reject anyone. */
function readName({ name }: Claims): string | null {
  return typeof name === "string" && isVisible(name) ? name.replaceAll("\0", "").slice(0, MAX_NAME).toWellFormed() : null;
}

const MAX_NAME = 120;

/** Returns the highest role that OIDC_ROLE_CLAIM names, in a text or a list; null if it names none. */
function readRole(claims: Claims): Role | null {
  const { roleClaim } = configured();
  const named = roleClaim === null ? [] : [valueAt(claims, roleClaim)].flat();
  return ROLES.find((role) => named.includes(role)) ?? null;
}

/** A claim's name may have dots itself; else they lead into it, as in Keycloak's `resource_access.signalbox.roles`. */
const valueAt = (claims: Claims, name: string): unknown =>
  claims[name] ?? name.split(".").reduce<unknown>((value, key) => (value as Claims | null | undefined)?.[key], claims);

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
  const claims = z.record(z.string(), z.unknown()).parse(rawProfile);
  const subject = subjectSchema.safeParse(claims.sub);
  if (!subject.success) return rejected("SsoClaims");
  const known = await findBySubject(issuer, subject.data);
  const address = readAddress(claims);
  // A known subject needs no address, unless its domain decides.
  if ("code" in address) return known && allowedDomains.length === 0 ? enterMember(known, claims, now) : rejected(address.code);
  if (known) return enterMember(known, claims, now);
  const account = await findByEmail(address.email);
  if (!account) return (await makeMember(issuer, subject.data, address.email, claims)) ?? findSsoUser(rawProfile, now);
  if (!(await isMember(account.id))) return rejected("AccessDenied");
  const binding = await bindSubject(issuer, subject.data, account, now);
  // Addresses change hands: at the provider this one had another owner when it was first used.
  if (binding.outcome === "other_identity") {
    await recordAnonymous(account, "sign_in.rejected", { reason: "another identity at the provider has this email address" });
    return rejected("SsoOtherIdentity");
  }
  return enterMember(account.id, claims, now, binding.passwordEnded);
}

const isMember = async (userId: string): Promise<boolean> => (await listWorkspacesOf(userId)).length > 0;

async function enterMember(userId: string, claims: Claims, now: Date, passwordEnded = false): Promise<SsoResult> {
  const workspaces = await listWorkspacesOf(userId);
  if (workspaces.length === 0) return rejected("AccessDenied");
  const role = readRole(claims);
  const first = role && (await findFirstWorkspace());
  const held = workspaces.find(({ id }) => id === first);
  if (role && held && held.role !== role && !(await giveRole(held.id, userId, role, now)))
    logger().warn({ userId, role }, "the role that the provider names was not given: this is the first workspace's last owner");
  return { outcome: "entered", userId, passwordEnded };
}

async function makeMember(issuer: string, subject: string, email: string, claims: Claims): Promise<SsoResult | null> {
  const { allowedDomains, firstRole } = configured();
  const workspaceId = await findFirstWorkspace();
  if (!workspaceId || !firstRole || allowedDomains.length === 0) return rejected("AccessDenied");
  const role = readRole(claims) ?? firstRole;
  const userId = await insertSsoMember(workspaceId, { issuer, subject, role, email, name: readName(claims) });
  return userId === null ? null : { outcome: "entered", userId, passwordEnded: false };
}
