import { expect, test } from "vitest";
import { signIn } from "#lib/auth/sign-in/sign-in";
import { prisma } from "#lib/db/prisma";
import { resetForgottenPassword } from "#lib/flows/members/manage-account";
import { makeAccount, type TestAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { callApi, changeRole, invite, join, newcomer, ownerAnd, remove } from "#tests/support/members";
import { beginWith, untilBlocked } from "#tests/support/other-session";

useDatabase();

async function makeKey(by: { cookie: string } | { authorization: string }): Promise<{ authorization: string }> {
  const answer = await callApi("POST", "v1/api-keys", by, { body: { name: "deploy", role: "admin" } });
  expect(answer.status).toBe(201);
  return { authorization: `Bearer ${((await answer.json()) as { key: string }).key}` };
}

test("whoever is removed, demoted or leaves takes their unused invitations with them, also those of their keys, which go on working", async () => {
  const owner = await makeAccount();
  const by = async (role: "admin" | "developer") => makeAccount({ role, workspaceId: owner.workspaceId });
  const ways: ((admin: TestAccount) => Promise<Response>)[] = [
    (admin) => remove(owner, admin.userId),
    (admin) => changeRole(owner, admin.userId, "developer"),
    (admin) => callApi("DELETE", "v1/members/me", admin),
  ];
  const stays = await invite(owner);
  for (const end of ways) {
    const admin = await by("admin");
    const own = await invite(admin, { role: "admin" });
    const key = await makeKey(admin);
    const byKey = await invite(key);
    const used = await invite(admin);
    expect((await join(used.token, newcomer())).status).toBe(204);
    expect((await end(admin)).status).toBe(204);
    for (const each of [own, byKey]) expect((await join(each.token, newcomer())).status).toBe(409);
    expect((await callApi("GET", "v1/session", key)).status).toBe(200); // nobody has asked for its end
    const told = await prisma().auditEntry.findMany({ where: { workspaceId: owner.workspaceId, action: "invitation.revoked" } });
    expect(told.map(({ targetId }) => targetId)).toEqual(expect.arrayContaining([own.id, byKey.id]));
  }
  expect((await join(stays.token, newcomer())).status).toBe(204);
});

test("a promotion, and the same role again, leave invitations as they are", async () => {
  const [owner, admin] = await ownerAnd("admin");
  const given = await invite(admin);
  for (const role of ["admin", "owner"]) expect((await changeRole(owner, admin.userId, role)).status).toBe(204);
  expect((await join(given.token, newcomer())).status).toBe(204);
});

test("no way leads a removed admin back: keys, keys of keys, invitations, assistants, listeners, password and reset", async () => {
  const [owner, admin] = await ownerAnd("admin");
  const first = await makeKey(admin);
  const second = await makeKey(first);
  const other = await makeKey(owner);
  const invited = await invite(second, { role: "admin" });
  expect(await keysOf(owner, admin.userId)).toBe(2);
  const listening = await callApi("GET", "v1/listeners/feed", second, { query: { name: "laptop", url: "http://localhost:1" } });
  expect((await remove(owner, admin.userId, { endApiKeys: "true" })).status).toBe(204);
  await listening.text(); // the stream ends
  for (const by of [first, second, admin])
    for (const [method, route] of WAYS_IN) expect((await callApi(method, route, by)).status, `${method} ${route}`).toBe(401);
  expect((await callApi("GET", "v1/session", other)).status).toBe(200);
  for (const by of [{}, admin]) expect((await join(invited.token, newcomer(), by)).status).toBe(409);
  // The account stays, and opens nothing here: neither by its password nor by a new one.
  const { password } = await resetForgottenPassword(admin.email);
  expect((await signIn({ email: admin.email, password }, new Date())).outcome).toBe("signed_in");
  expect(await prisma().membership.count({ where: { userId: admin.userId } })).toBe(0);
  const said = await prisma().auditEntry.findFirstOrThrow({ where: { action: "member.removed", targetId: admin.userId } });
  expect(said.after).toEqual({ invitesRevoked: 1, apiKeysRevoked: 2 });
});

test("who leaves may end the API keys that they made, and only those", async () => {
  const [owner, admin] = await ownerAnd("admin");
  const [own, other] = [await makeKey(admin), await makeKey(owner)];
  expect((await callApi("DELETE", "v1/members/me", admin, { query: { endApiKeys: "true" } })).status).toBe(204);
  expect((await callApi("GET", "v1/session", own)).status).toBe(401);
  expect((await callApi("GET", "v1/session", other)).status).toBe(200);
  const said = await prisma().auditEntry.findFirstOrThrow({ where: { action: "member.left", targetId: admin.userId } });
  expect(said.after).toEqual({ apiKeysRevoked: 1 });
});

test("what a removed member made in another workspace stays there", async () => {
  const [owner, admin] = await ownerAnd("admin");
  const elsewhere = await makeAccount({ userId: admin.userId });
  const key = await makeKey(elsewhere);
  const given = await invite(elsewhere);
  expect((await remove(owner, admin.userId, { endApiKeys: "true" })).status).toBe(204);
  expect((await callApi("GET", "v1/session", key)).status).toBe(200);
  expect((await join(given.token, newcomer())).status).toBe(204);
});

test.each(["v1/invitations", "v1/api-keys"])("%s of somebody who is being removed waits for the removal, and is refused", async (route) => {
  const [, admin] = await ownerAnd("admin");
  const removal = await beginWith("DELETE FROM memberships WHERE user_id = $1", [admin.userId]);
  const late = callApi("POST", route, admin, { body: { role: "viewer", ...(route === "v1/api-keys" && { name: "late" }) } });
  await untilBlocked();
  await removal.end();
  expect((await late).status).toBe(403);
});

const WAYS_IN = [
  ["GET", "v1/session"],
  ["GET", "v1/feed"],
  ["GET", "v1/listeners/feed"],
  ["POST", "v1/mcp"],
  ["POST", "v1/invitations"],
  ["POST", "v1/api-keys"],
] as const;

async function keysOf(by: TestAccount, userId: string): Promise<number | undefined> {
  const { data } = (await (await callApi("GET", "v1/members", by)).json()) as { data: { id: string; apiKeys: number }[] };
  return data.find(({ id }) => id === userId)?.apiKeys;
}
