import { expect, test } from "vitest";
import { insertSession } from "#lib/auth/session-store";
import { finishAuthRequest, newAuthRequest } from "#lib/auth/sign-in/auth-request";
import { hashPassword } from "#lib/auth/sign-in/password";
import { signIn } from "#lib/auth/sign-in/sign-in";
import { enterBySso } from "#lib/auth/sign-in/sso";
import { newId } from "#lib/contracts/api/ids";
import { prisma } from "#lib/db/prisma";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";

useDatabase({
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "client",
  OIDC_CLIENT_SECRET: "secret-of-the-client",
  OIDC_ALLOWED_DOMAINS: "example.com",
  OIDC_FIRST_ROLE: "viewer",
});

test("a name from the provider that the database can't hold keeps nobody out, and a subject that it can't hold names nobody", async () => {
  await makeAccount();
  const profile = { sub: "subject-1", email: "eve@example.com", email_verified: true, name: "E\u0000ve \ud800" };
  await expect(enterBySso(newAuthRequest(new Headers(), new Date()), profile)).resolves.toBe(true);
  expect(await prisma().user.findUnique({ where: { email: "eve@example.com" } })).toMatchObject({ name: "Eve \ufffd" });
  const mallory = { ...profile, sub: "a\u0000b", email: "mallory@example.com" };
  const refused = await enterBySso(newAuthRequest(new Headers(), new Date()), mallory);
  expect(refused).toBe("/sign-in?error=SsoClaims");
});

const PASSWORD = "tram-violet-7-lake";
const HASH = hashPassword(PASSWORD);
const enter = async (profile: object) => {
  const turn = newAuthRequest(new Headers(), new Date());
  return { answer: await enterBySso(turn, { email_verified: true, ...profile }), turn };
};

/** Somebody with a password who opened an account under an address that nobody checked, and a browser that is signed in. */
async function squatter(role: "admin" | "developer" = "developer") {
  const account = await makeAccount({ role });
  const passwordHash = await HASH;
  await prisma().user.update({ where: { id: account.userId }, data: { passwordHash } });
  await prisma().knownDevice.create({ data: { idHash: `device of ${account.userId}`, userId: account.userId, lastUsedAt: new Date() } });
  return account;
}

test("an account that somebody else opened under the address is the address's owner's from the first single sign-on on", async () => {
  const account = await squatter("admin");
  const { workspaceId, userId, email, sessionHash } = account;
  const expiresAt = new Date(Date.now() + 86_400_000);
  const giver = { workspaceId, createdBy: email, createdById: userId };
  const invitation = await prisma().invitation.create({
    data: { ...giver, id: newId("inv"), tokenHash: `invitation of ${userId}`, role: "admin", expiresAt },
  });
  await prisma().apiKey.create({ data: { ...giver, id: newId("key"), name: "theirs", hint: "sbx_", keyHash: userId, role: "admin" } });
  const { answer, turn } = await enter({ sub: "the-real-boss", email });
  expect([answer, turn.userId]).toEqual([true, userId]);
  expect((await signIn({ email, password: PASSWORD }, new Date())).outcome).toBe("rejected");
  expect(await prisma().session.count({ where: { idHash: sessionHash } })).toBe(0);
  expect(await prisma().knownDevice.count({ where: { userId } })).toBe(0);
  expect((await prisma().invitation.findUniqueOrThrow({ where: { id: invitation.id } })).revokedAt).not.toBeNull();
  const told = await prisma().auditEntry.findFirst({ where: { workspaceId, action: "password.ended" } });
  expect(told).toMatchObject({ actorId: userId, targetId: userId, after: { sessionsEnded: 1, invitesRevoked: 1, workingApiKeys: 1 } });
  const next = await finishAuthRequest(turn, new Response(null, { status: 302, headers: { location: "http://localhost:3000/events" } }));
  expect(next.headers.get("location")).toBe("http://localhost:3000/settings/account?password=ended");
});

test("a password that was checked just before opens no session once single sign-on has ended it", async () => {
  const { workspaceId, userId, email } = await squatter();
  expect((await signIn({ email, password: PASSWORD }, new Date())).outcome).toBe("signed_in");
  await enter({ sub: "quicker", email });
  const late = { idHash: "a late session", userId, workspaceId, userAgent: null, method: "password", now: new Date() };
  await expect(insertSession(late)).rejects.toThrow("password_ended");
  expect(await prisma().session.count({ where: { userId } })).toBe(0);
});

test("the second sign-in ends nothing, and two first ones at once are the same person's", async () => {
  const { workspaceId, userId, email } = await squatter();
  const both = await Promise.all([enter({ sub: "twice", email }), enter({ sub: "twice", email })]);
  expect(both.map(({ answer }) => answer)).toEqual([true, true]);
  const session = { idHash: "by the provider", userId, workspaceId, userAgent: null, method: "sso", now: new Date() };
  await insertSession(session);
  expect((await enter({ sub: "twice", email })).turn.passwordEnded).toBe(false);
  expect(await prisma().session.count({ where: { userId } })).toBe(1);
  expect(await prisma().auditEntry.count({ where: { workspaceId, action: "password.ended" } })).toBe(1);
});

test("an address that the provider has not verified opens no account, and leaves its password", async () => {
  const { userId, email } = await squatter();
  expect((await enter({ email, sub: "s", email_verified: false })).answer).toBe("/sign-in?error=SsoUnverified");
  expect((await signIn({ email, password: PASSWORD }, new Date())).outcome).toBe("signed_in");
  expect(await prisma().ssoIdentity.count({ where: { userId } })).toBe(0);
});

test("a removed member comes back neither under the address nor under the subject, and nothing of the account changes", async () => {
  const known = await squatter();
  await enter({ sub: "was-a-member", email: known.email });
  const unknown = await squatter();
  await prisma().membership.deleteMany({ where: { userId: { in: [known.userId, unknown.userId] } } });
  expect((await enter({ sub: "was-a-member", email: known.email })).answer).toBe("/sign-in?error=AccessDenied");
  expect((await enter({ sub: "never-bound", email: unknown.email })).answer).toBe("/sign-in?error=AccessDenied");
  expect(await prisma().ssoIdentity.count({ where: { userId: unknown.userId } })).toBe(0);
});

test("whoever has a changed address comes into their own account, and its next owner into nobody's", async () => {
  const [ada, ben] = [await squatter(), await squatter()];
  await enter({ sub: "ada", email: ada.email });
  await enter({ sub: "ben", email: ben.email });
  // Ada takes Ben's address, and somebody new has Ada's.
  expect((await enter({ sub: "ada", email: ben.email })).turn.userId).toBe(ada.userId);
  const { answer, turn } = await enter({ sub: "new-owner-of-the-address", email: ada.email });
  expect([answer, turn.userId]).toEqual(["/sign-in?error=SsoOtherIdentity", null]);
});
