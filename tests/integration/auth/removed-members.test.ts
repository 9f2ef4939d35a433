import { expect, test, vi } from "vitest";
import { signIn } from "#lib/auth/sign-in/sign-in";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { resetForgottenPassword } from "#lib/flows/members/manage-account";
import { makeAccount, type TestAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { callRoute } from "#tests/support/routes";

useDatabase();

type Credentials = { cookie: string } | { authorization: string };
type Input = Parameters<typeof callRoute>[3];

function call(method: string, route: string, by: Credentials, input: Input = {}): Promise<Response> {
  const credentials: Record<string, string> = "cookie" in by ? { cookie: by.cookie } : { authorization: by.authorization };
  return callRoute(method, `api/${route}`, { origin: "http://localhost:3000", ...credentials }, input);
}

type Invite = { id: string; token: string };

async function invite(by: Credentials, role = "developer"): Promise<Invite> {
  const answer = await call("POST", "v1/invitations", by, { body: { role } });
  expect(answer.status).toBe(201);
  const { url, id } = (await answer.json()) as { url: string; id: string };
  return { id, token: new URL(url).searchParams.get("token") ?? "" };
}

async function makeKey(by: Credentials): Promise<{ authorization: string }> {
  const answer = await call("POST", "v1/api-keys", by, { body: { name: "deploy", role: "admin" } });
  expect(answer.status).toBe(201);
  return { authorization: `Bearer ${((await answer.json()) as { key: string }).key}` };
}

let people = 0;
const join = ({ token }: Invite, by: Credentials = { cookie: "" }) =>
  call("POST", "join", by, { body: { token, account: { email: `newcomer-${++people}@example.com`, password: "tram-violet-7-lake" } } });
const changeRole = (by: TestAccount, id: string, role: string) => call("PATCH", "v1/members/[id]", by, { params: { id }, body: { role } });
const remove = (by: TestAccount, id: string, query = {}) => call("DELETE", "v1/members/[id]", by, { params: { id }, query });

test("whoever is removed, demoted or leaves takes their unused invitations with them, also those that their keys made", async () => {
  const owner = await makeAccount();
  const by = async (role: "admin" | "developer") => makeAccount({ role, workspaceId: owner.workspaceId });
  const ways: ((admin: TestAccount) => Promise<Response>)[] = [
    (admin) => remove(owner, admin.userId),
    (admin) => changeRole(owner, admin.userId, "developer"),
    (admin) => call("DELETE", "v1/members/me", admin),
  ];
  const stays = await invite(owner);
  for (const end of ways) {
    const admin = await by("admin");
    const own = await invite(admin, "admin");
    const key = await makeKey(admin);
    const byKey = await invite(key);
    const used = await invite(admin);
    expect((await join(used)).status).toBe(204);
    expect((await end(admin)).status).toBe(204);
    for (const each of [own, byKey]) expect((await join(each)).status).toBe(409);
    const told = await prisma().auditEntry.findMany({ where: { workspaceId: owner.workspaceId, action: "invitation.revoked" } });
    expect(told.map(({ targetId }) => targetId)).toEqual(expect.arrayContaining([own.id, byKey.id]));
  }
  expect((await join(stays)).status).toBe(204);
});

test("a promotion, and the same role again, leave invitations as they are", async () => {
  const owner = await makeAccount();
  const admin = await makeAccount({ role: "admin", workspaceId: owner.workspaceId });
  const given = await invite(admin);
  for (const role of ["admin", "owner"]) expect((await changeRole(owner, admin.userId, role)).status).toBe(204);
  expect((await join(given)).status).toBe(204);
});

test("no way leads a removed admin back: keys, keys of keys, invitations, assistants, listeners, password and reset", async () => {
  const owner = await makeAccount();
  const admin = await makeAccount({ role: "admin", workspaceId: owner.workspaceId });
  const first = await makeKey(admin);
  const second = await makeKey(first);
  const other = await makeKey(owner);
  const invited = await invite(second, "admin");
  expect(await keysOf(owner, admin.userId)).toBe(2);
  const listening = await call("GET", "v1/listeners/feed", second, { query: { name: "laptop", url: "http://localhost:1" } });
  expect((await remove(owner, admin.userId, { endApiKeys: "true" })).status).toBe(204);
  await listening.text(); // the stream ends
  for (const by of [first, second, admin])
    for (const [method, route] of WAYS_IN) expect((await call(method, route, by)).status, `${method} ${route}`).toBe(401);
  expect((await call("GET", "v1/session", other)).status).toBe(200);
  for (const by of [undefined, admin]) expect((await join(invited, by)).status).toBe(409);
  // The account stays, and opens nothing here: neither by its password nor by a new one.
  const { password } = await resetForgottenPassword(admin.email);
  expect((await signIn({ email: admin.email, password }, new Date())).outcome).toBe("signed_in");
  expect(await prisma().membership.count({ where: { userId: admin.userId } })).toBe(0);
  const said = await prisma().auditEntry.findFirstOrThrow({ where: { action: "member.removed", targetId: admin.userId } });
  expect(said.after).toEqual({ invitesRevoked: 1, apiKeysRevoked: 2 });
});

test("API keys go on working when nobody asks for their end", async () => {
  const owner = await makeAccount();
  const admin = await makeAccount({ role: "admin", workspaceId: owner.workspaceId });
  const key = await makeKey(admin);
  expect((await remove(owner, admin.userId)).status).toBe(204);
  expect((await call("GET", "v1/session", key)).status).toBe(200);
});

test("who leaves may end the API keys that they made, and only those", async () => {
  const owner = await makeAccount();
  const admin = await makeAccount({ role: "admin", workspaceId: owner.workspaceId });
  const [own, other] = [await makeKey(admin), await makeKey(owner)];
  expect((await call("DELETE", "v1/members/me", admin, { query: { endApiKeys: "true" } })).status).toBe(204);
  expect((await call("GET", "v1/session", own)).status).toBe(401);
  expect((await call("GET", "v1/session", other)).status).toBe(200);
  const said = await prisma().auditEntry.findFirstOrThrow({ where: { action: "member.left", targetId: admin.userId } });
  expect(said.after).toEqual({ apiKeysRevoked: 1 });
});

test("what a removed member made in another workspace stays there", async () => {
  const owner = await makeAccount();
  const admin = await makeAccount({ role: "admin", workspaceId: owner.workspaceId });
  const elsewhere = await makeAccount({ userId: admin.userId });
  const key = await makeKey(elsewhere);
  const given = await invite(elsewhere);
  expect((await remove(owner, admin.userId, { endApiKeys: "true" })).status).toBe(204);
  expect((await call("GET", "v1/session", key)).status).toBe(200);
  expect((await join(given)).status).toBe(204);
});

test.each(["v1/invitations", "v1/api-keys"])("%s of somebody who is being removed waits for the removal, and is refused", async (route) => {
  const owner = await makeAccount();
  const admin = await makeAccount({ role: "admin", workspaceId: owner.workspaceId });
  const removal = await pool().connect();
  await removal.query("BEGIN");
  await removal.query("DELETE FROM memberships WHERE user_id = $1", [admin.userId]);
  const late = call("POST", route, admin, { body: { role: "viewer", ...(route === "v1/api-keys" && { name: "late" }) } });
  await vi.waitFor(async () => expect(await countWaiting()).toBeGreaterThan(0), { timeout: 10_000 });
  await removal.query("COMMIT");
  removal.release();
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
  const { data } = (await (await call("GET", "v1/members", by)).json()) as { data: { id: string; apiKeys: number }[] };
  return data.find(({ id }) => id === userId)?.apiKeys;
}

async function countWaiting(): Promise<number> {
  const { rows } = await pool().query<{ waiting: number }>("SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted");
  return rows[0]?.waiting ?? 0;
}
