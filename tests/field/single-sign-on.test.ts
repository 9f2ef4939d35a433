import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { newAuthRequest } from "#lib/auth/sign-in/auth-request";
import { enterBySso } from "#lib/auth/sign-in/sso";
import { resetEnv } from "#lib/config/env";
import type { Role } from "#lib/contracts/auth/settings";
import { prisma } from "#lib/db/prisma";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { APP, ask, begin, comeBack, Jar } from "#tests/support/sso-browser";
import { startSsoProvider } from "#tests/support/sso-provider";

// Single sign-on as providers do it, and as those who set it up elsewhere reported it.

vi.mock("next-auth", async (importOriginal) => (await import("#tests/support/plain-next-auth")).plainNextAuth(await importOriginal()));

const client = { id: "signalbox", secret: "the-client-secret-of-these-tests", appUrl: APP };
const provider = await startSsoProvider(client);
const SETTINGS = {
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_ALLOWED_DOMAINS: "",
  OIDC_VERIFIED_DOMAINS: "",
  OIDC_FIRST_ROLE: "none",
  OIDC_ROLE_CLAIM: "",
};
useDatabase(SETTINGS);
afterAll(() => provider.close());
beforeEach(() => {
  provider.userinfoFails = false;
  resetEnv(SETTINGS);
});

/** Goes through the provider. @returns the error of the sign-in page, or null when a session was opened */
async function signIn(atUserinfo: object, inIdToken: object): Promise<string | null> {
  provider.person = { sub: `subject ${count++}`, ...atUserinfo };
  provider.inIdToken = inIdToken;
  const jar = new Jar();
  const { headers } = await ask(jar, await comeBack(await begin(jar)));
  return jar.cookies.get("signalbox.session") ? null : new URL(headers.get("location") ?? "", APP).searchParams.get("error");
}
let count = 0;

const enter = (claims: object) => enterBySso(newAuthRequest(new Headers(), new Date()), claims);

describe("an address that the provider calls verified", () => {
  // OpenID Connect Core 5.3; UsefulSoftwareCo/executor#1972
  it("signs in where only the userinfo URL calls it that, and the ID token has the address alone", async () => {
    const { email } = await makeAccount();
    expect(await signIn({ email, email_verified: true }, { email })).toBeNull();
  });

  // FusionAuth/fusionauth-issues#2542
  it("is the one that was called verified: the same word on another address counts for nothing", async () => {
    const [{ email }, { email: other }] = [await makeAccount(), await makeAccount()];
    expect(await signIn({ email, email_verified: false }, { email: other })).toBe("SsoUnverified");
    expect(await signIn({ email }, { email_verified: true })).toBe("SsoUnverified");
    expect(await prisma().ssoIdentity.count({ where: { user: { email: { in: [email, other] } } } })).toBe(0);
  });
});

// outline/outline#12863, open-mercato/open-mercato#2026, OIDCWarden#31: Microsoft Entra ID never says email_verified
describe("an address of which the provider never says whether it is verified", () => {
  it("signs in where OIDC_VERIFIED_DOMAINS names its domain, and only there", async () => {
    resetEnv({ OIDC_VERIFIED_DOMAINS: "example.org, EXAMPLE.com" });
    const { email } = await makeAccount();
    expect(await signIn({ email }, { email })).toBeNull();
    expect(await signIn({}, { email: "somebody@example.net" })).toBe("SsoUnverified");
  });

  it.each([false, "true", "false", 1, {}])("is no such address when it says %j", async (email_verified) => {
    resetEnv({ OIDC_VERIFIED_DOMAINS: "example.com" });
    const { email } = await makeAccount();
    expect(await enter({ sub: "s", email, email_verified })).toBe("/sign-in?error=SsoUnverified");
  });
});

describe("claims that decide nothing", () => {
  it("are not waited for: a userinfo URL that fails keeps out only those whose address the ID token leaves open", async () => {
    const { email } = await makeAccount();
    provider.userinfoFails = true;
    expect(await signIn({}, { email })).toBe("OAuthCallback");
    resetEnv({ OIDC_ROLE_CLAIM: "roles", OIDC_VERIFIED_DOMAINS: "example.com" });
    expect(await signIn({}, { email })).toBeNull();
  });

  const odd = { picture: "x".repeat(100_000), groups: Array.from({ length: 500 }, (_, at) => `group-${at}`) };

  it.each([
    { is: "of 5,000 characters", name: "x".repeat(5000), kept: "x".repeat(120) },
    { is: "that is a list", name: ["Eve"], kept: null },
    { is: "that is an object", name: { first: "Eve" }, kept: null },
    { is: "that is a number", name: 7, kept: null },
  ])("a name $is keeps nobody out", async ({ name, kept }) => {
    await makeAccount();
    resetEnv({ OIDC_ALLOWED_DOMAINS: "example.com", OIDC_FIRST_ROLE: "viewer" });
    const email = `new-${count++}@example.com`;
    expect(await enter({ sub: email, email, email_verified: true, ...odd, name })).toBe(true);
    expect(await prisma().user.findUnique({ where: { email }, select: { name: true } })).toEqual({ name: kept });
  });

  // PatchMon/PatchMon#1048: a provider changed what it says, and those who had signed in for months were locked out
  it("an address that is missing, odd or unverified keeps out nobody whom the subject names", async () => {
    const { email } = await makeAccount();
    expect(await enter({ sub: "known", email, email_verified: true })).toBe(true);
    for (const claims of [{}, { email: 7 }, { email, email_verified: false }, { email: `${"x".repeat(300)}@example.com` }])
      expect(await enter({ sub: "known", ...claims })).toBe(true);
  });

  it("an address that is missing or can't be one is called that, and not unverified", async () => {
    for (const email of [undefined, 7, "eve", `${"x".repeat(300)}@example.com`])
      expect(await enter({ sub: "unknown", email, email_verified: true })).toBe("/sign-in?error=SsoClaims");
  });

  it("an address decides for a known subject where OIDC_ALLOWED_DOMAINS says which may sign in", async () => {
    const { email } = await makeAccount();
    await enter({ sub: "moved", email, email_verified: true });
    resetEnv({ OIDC_ALLOWED_DOMAINS: "example.com" });
    expect(await enter({ sub: "moved", email: "eve@example.net", email_verified: true })).toBe("/sign-in?error=SsoDomain");
    expect(await enter({ sub: "moved" })).toBe("/sign-in?error=SsoClaims");
    expect(await enter({ sub: "moved", email, email_verified: true })).toBe(true);
  });
});

describe("the role of a claim", () => {
  /** Somebody of the first workspace, beside its owner, who signed in before. */
  async function member(role: Role) {
    await prisma().workspace.deleteMany();
    const { workspaceId, userId: owner } = await makeAccount();
    const { userId, email, sessionHash } = await makeAccount({ role, workspaceId });
    await enter({ sub: userId, email, email_verified: true });
    return { workspaceId, owner, userId, email, sessionHash };
  }
  const roleOf = async (userId: string) => (await prisma().membership.findFirst({ where: { userId } }))?.role;
  const changesOf = (workspaceId: string) => prisma().auditEntry.findMany({ where: { workspaceId, action: "member.role_changed" } });

  it.each<[string, string, object, Role]>([
    ["Entra ID's app roles", "roles", { roles: ["Task.Read", "viewer", "admin"] }, "admin"],
    ["a claim of one text", "signalbox_role", { signalbox_role: "owner" }, "owner"],
    ["a claim whose name is a URL", "https://acme.com/role", { "https://acme.com/role": "viewer" }, "viewer"],
    ["Keycloak's client roles", "resource_access.signalbox.roles", { resource_access: { signalbox: { roles: ["admin"] } } }, "admin"],
  ])("%s give a member their role, which the audit log tells", async (_, claim, claims, role) => {
    const { workspaceId, userId, email } = await member("developer");
    resetEnv({ OIDC_ROLE_CLAIM: claim });
    expect(await enter({ sub: userId, ...claims })).toBe(true);
    expect(await roleOf(userId)).toBe(role);
    expect(await changesOf(workspaceId)).toMatchObject([
      { actorId: userId, actorName: email, targetId: userId, before: { role: "developer" }, after: { role, by: "single sign-on" } },
    ]);
  });

  it.each([undefined, null, "", "Admin", "superuser", 7, { admin: true }, ["a", null]].map((roles) => ({ roles })))(
    "a claim that says $roles changes no role and keeps nobody out",
    async ({ roles }) => {
      const { workspaceId, userId } = await member("developer");
      resetEnv({ OIDC_ROLE_CLAIM: "roles" });
      expect(await enter({ sub: userId, roles })).toBe(true);
      expect(await roleOf(userId)).toBe("developer");
      expect(await changesOf(workspaceId)).toEqual([]);
    },
  );

  it("no claim gives a role while the setting is off", async () => {
    const { userId } = await member("developer");
    expect(await enter({ sub: userId, roles: ["owner"], role: "owner" })).toBe(true);
    expect(await roleOf(userId)).toBe("developer");
  });

  it("a lower role ends the sessions and open invites of the higher one, and the last owner stays one", async () => {
    const { workspaceId, owner, userId, email, sessionHash } = await member("owner");
    resetEnv({ OIDC_ROLE_CLAIM: "roles" });
    const expiresAt = new Date(Date.now() + 86_400_000);
    const giver = { workspaceId, createdBy: email, createdById: userId };
    await prisma().invitation.create({ data: { ...giver, id: "inv_1", tokenHash: "x", role: "owner", expiresAt } });
    expect(await enter({ sub: userId, roles: "viewer" })).toBe(true);
    expect(await roleOf(userId)).toBe("viewer");
    expect(await prisma().session.count({ where: { idHash: sessionHash } })).toBe(0);
    expect((await prisma().invitation.findUniqueOrThrow({ where: { id: "inv_1" } })).revokedAt).not.toBeNull();
    await prisma().ssoIdentity.create({ data: { issuer: provider.issuer, subject: owner, userId: owner } });
    expect(await enter({ sub: owner, roles: "viewer" })).toBe(true);
    expect(await roleOf(owner)).toBe("owner");
  });

  it("somebody new gets it in place of OIDC_FIRST_ROLE, from the userinfo URL where only that has it", async () => {
    await member("developer");
    resetEnv({ OIDC_ALLOWED_DOMAINS: "example.com", OIDC_FIRST_ROLE: "viewer", OIDC_ROLE_CLAIM: "roles" });
    const verified = { email: "new@example.com", email_verified: true };
    expect(await signIn({ ...verified, roles: ["admin"] }, verified)).toBeNull();
    expect((await prisma().membership.findFirst({ where: { user: { email: "new@example.com" } } }))?.role).toBe("admin");
  });

  it("concerns the first workspace alone", async () => {
    const { userId } = await member("developer");
    const { workspaceId: later } = await makeAccount({ userId, role: "viewer" });
    resetEnv({ OIDC_ROLE_CLAIM: "roles" });
    await enter({ sub: userId, roles: "admin" });
    const held = await prisma().membership.findMany({ where: { userId }, select: { workspaceId: true, role: true } });
    expect(held).toHaveLength(2);
    expect(held.find(({ workspaceId }) => workspaceId === later)?.role).toBe("viewer");
    expect(held.find(({ workspaceId }) => workspaceId !== later)?.role).toBe("admin");
  });
});
