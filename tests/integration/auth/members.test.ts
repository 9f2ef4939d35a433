import { expect, test } from "vitest";
import { passwordProblem, verifyPassword } from "#lib/auth/sign-in/password";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { resetForgottenPassword } from "#lib/flows/members/manage-account";
import { hashToken } from "#lib/vault/opaque-token";
import { makeAccount, type TestAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { callApi, changeRole, invite, join, newcomer, ownerAnd, remove } from "#tests/support/members";
import { beginWith, untilBlocked } from "#tests/support/other-session";

useDatabase();

const roleOf = async ({ workspaceId }: TestAccount, userId: string) =>
  (await prisma().membership.findUnique({ where: { workspaceId_userId: { workspaceId, userId } } }))?.role ?? null;

test("an invitation is good for one of many who use it at once, and its link is nowhere in the database", async () => {
  const owner = await makeAccount();
  const { token } = await invite(owner);
  const answers = await Promise.all(Array.from({ length: 4 }, () => join(token, newcomer())));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409]);
  expect(await prisma().membership.count({ where: { workspaceId: owner.workspaceId } })).toBe(2);
  const stored = JSON.stringify([
    await prisma().invitation.findMany(),
    await prisma().auditEntry.findMany({ select: { after: true, before: true } }),
  ]);
  expect(stored).not.toContain(token);
  expect(stored).toContain(hashToken(token));
});

test("an invitation that has expired, was taken back or was made up opens nothing, and a refused password leaves it usable", async () => {
  const owner = await makeAccount();
  const [expired, revoked, good] = [await invite(owner), await invite(owner), await invite(owner)];
  await prisma().invitation.update({ where: { id: expired.id }, data: { expiresAt: new Date(Date.now() - 1000) } });
  expect((await callApi("DELETE", "v1/invitations/[id]", owner, { params: { id: revoked.id } })).status).toBe(204);
  for (const [token, words] of [
    [expired.token, "has expired"],
    [revoked.token, "was revoked"],
    ["made-up", "doesn't belong to this Signalbox"],
  ] as const) {
    const answer = await join(token, newcomer());
    expect(answer.status).toBe(409);
    expect((await answer.json()).detail).toContain(words);
  }
  expect((await join(good.token, { ...newcomer(), password: "password1234" })).status).toBe(400);
  expect((await join(good.token, newcomer())).status).toBe(204);
});

test("an account that is known joins by signing in, not by a new password; a named address is the only one that may", async () => {
  const [owner, other] = [await makeAccount(), await makeAccount()];
  const { token } = await invite(owner, { role: "viewer" });
  const taken = await join(token, { ...newcomer(), email: other.email });
  expect(taken.status).toBe(409);
  expect((await taken.json()).detail).toContain("already exists");
  const named = await invite(owner, { role: "viewer", email: "somebody-else@example.com" });
  expect((await join(named.token, undefined, other)).status).toBe(409);
  expect((await join(token)).status).toBe(401);
  const joined = await join(token, undefined, other);
  expect(joined.status).toBe(204);
  // The session is taken along under a new cookie.
  expect((await callApi("GET", "v1/session", other)).status).toBe(401);
  const cookie = joined.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect(await (await callApi("GET", "v1/session", { cookie })).json()).toMatchObject({
    workspace: { id: owner.workspaceId },
    role: "viewer",
  });
});

test("who was removed, and has forgotten the password, joins anew by an invite to their address, and only by one", async () => {
  const [owner, gone] = await ownerAnd("developer");
  expect((await remove(owner, gone.userId)).status).toBe(204);
  const account = { ...newcomer(), email: gone.email };
  await pool().query("INSERT INTO sso_identities (issuer, subject, user_id) VALUES ('https://sso.example', 'who-had-it-before', $1)", [
    gone.userId,
  ]);
  expect((await join((await invite(owner)).token, account)).status).toBe(409); // the link names nobody
  const named = await invite(owner, { role: "viewer", email: gone.email });
  expect((await join(named.token, account)).status).toBe(204);
  expect(await roleOf(owner, gone.userId)).toBe("viewer");
  expect((await callApi("GET", "v1/session", gone)).status).toBe(401);
  expect((await pool().query("SELECT 1 FROM sso_identities WHERE user_id = $1", [gone.userId])).rowCount).toBe(0);
  const [joined] = await prisma().auditEntry.findMany({ where: { workspaceId: owner.workspaceId, action: "member.joined" } });
  expect(joined?.after).toMatchObject({ passwordReset: true });
  const user = await prisma().user.findUnique({ where: { id: gone.userId } });
  expect(await verifyPassword(user?.passwordHash ?? null, account.password)).toBe(true);
  // A member's account is nobody else's, whoever is invited.
  const again = await invite(await makeAccount(), { role: "viewer", email: gone.email });
  expect((await join(again.token, { ...account, password: "another-tram-violet" })).status).toBe(409);
});

test("an account that just becomes a member somewhere else is not taken up by an invite to its address", async () => {
  const [owner, gone] = await ownerAnd("developer");
  expect((await remove(owner, gone.userId)).status).toBe(204);
  const elsewhere = await makeAccount();
  const { token } = await invite(owner, { role: "viewer", email: gone.email });
  // Joining elsewhere has written the membership and not committed yet.
  const other = await beginWith("SELECT 1 FROM users WHERE id = $1 FOR UPDATE", [gone.userId]);
  const values = [elsewhere.workspaceId, gone.userId];
  await other.query("INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'viewer')", values);
  const joining = join(token, { ...newcomer(), email: gone.email });
  await untilBlocked();
  await other.end();
  expect((await joining).status).toBe(409);
});

test("a forgotten password is reset on the command line: a new one, no session left, and an entry in each audit log", async () => {
  const owner = await makeAccount();
  const { password, sessionsEnded } = await resetForgottenPassword(owner.email.toUpperCase());
  expect(sessionsEnded).toBe(1);
  expect(passwordProblem(password, owner.email)).toBeNull();
  expect((await callApi("GET", "v1/session", owner)).status).toBe(401);
  const user = await prisma().user.findUnique({ where: { id: owner.userId } });
  expect(await verifyPassword(user?.passwordHash ?? null, password)).toBe(true);
  const entries = await prisma().auditEntry.findMany({ where: { workspaceId: owner.workspaceId, action: "password.reset" } });
  expect(entries.map(({ after }) => after)).toEqual([{ sessionsEnded: 1 }]);
  await expect(resetForgottenPassword("nobody@example.com")).rejects.toThrow(
    "There is no account with the email address nobody@example.com.",
  );
});

test("owners are made, changed and removed by owners alone", async () => {
  const [owner, admin] = await ownerAnd("admin");
  const developer = await makeAccount({ role: "developer", workspaceId: owner.workspaceId });
  expect((await callApi("POST", "v1/invitations", admin, { body: { role: "owner" } })).status).toBe(403);
  expect((await changeRole(admin, developer.userId, "owner")).status).toBe(403);
  expect((await changeRole(admin, owner.userId, "viewer")).status).toBe(403);
  expect((await remove(admin, owner.userId)).status).toBe(403);
  expect((await changeRole(developer, admin.userId, "viewer")).status).toBe(403);
  expect((await changeRole(admin, developer.userId, "viewer")).status).toBe(204);
  expect(await roleOf(owner, developer.userId)).toBe("viewer");
});

test("the last owner stays: no stepping down, no leaving, no removal; not even by two owners at once", async () => {
  const owner = await makeAccount();
  expect((await changeRole(owner, owner.userId, "admin")).status).toBe(409);
  expect((await remove(owner, owner.userId)).status).toBe(409);
  expect((await callApi("DELETE", "v1/members/me", owner)).status).toBe(409);
  for (let round = 0; round < 5; round++) {
    const [one, two] = [await makeAccount(), await makeAccount()];
    await prisma().membership.create({ data: { workspaceId: one.workspaceId, userId: two.userId, role: "owner" } });
    await prisma().session.updateMany({ where: { userId: two.userId }, data: { workspaceId: one.workspaceId } });
    const answers = await Promise.all([remove(one, two.userId), remove(two, one.userId)]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await prisma().membership.count({ where: { workspaceId: one.workspaceId, role: "owner" } })).toBe(1);
  }
});

test("one ends one's own sessions only, and takes them to no foreign workspace", async () => {
  const [ada, ben] = [await makeAccount(), await makeAccount()];
  const id = `ses_${ben.sessionHash.slice(0, 16)}`;
  expect((await callApi("DELETE", "v1/account/sessions/[id]", ada, { params: { id } })).status).toBe(404);
  expect((await callApi("PUT", "v1/session/workspace", ada, { body: { workspaceId: ben.workspaceId } })).status).toBe(404);
  expect((await callApi("GET", "v1/session", ben)).status).toBe(200);
});

test("guesses at the present password are counted, so that a borrowed session can't find it", async () => {
  const ada = await makeAccount();
  await prisma().user.update({
    where: { id: ada.userId },
    data: { passwordHash: "$argon2id$v=19$m=19456,t=2,p=1$YWFhYWFhYWE$YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh" },
  });
  const guess = () => callApi("PUT", "v1/account/password", ada, { body: { current: "guess", next: "tram-violet-7-lake" } });
  const statuses: number[] = [];
  for (let tries = 0; tries < 12; tries++) statuses.push((await guess()).status);
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
});
