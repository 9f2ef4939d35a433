import { beforeAll, expect, test } from "vitest";
import { beginSession } from "#lib/auth/opaque-session";
import { deleteSession } from "#lib/auth/session-store";
import { hashPassword } from "#lib/auth/sign-in/password";
import { newId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { hashToken } from "#lib/vault/opaque-token";
import { makeAccount, openSession, type TestAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { untilBlocked } from "#tests/support/other-session";
import { expectPace } from "#tests/support/pace";
import { callRoute } from "#tests/support/routes";
import { browserOf, setUpTotp } from "#tests/support/second-factors";

useDatabase();

const password = "tram-violet-7-lake";
const HASH = hashPassword(password);
const LIMIT_MS = 5000;
let owner: TestAccount;

beforeAll(async () => {
  owner = await makeAccount();
});

async function call(method: string, route: string, headers: Record<string, string>, input: Parameters<typeof callRoute>[3] = {}) {
  const answer = await callRoute(method, `api/v1/${route}`, { origin: "http://localhost:3000", ...headers }, input);
  if (method !== "GET") expect(answer.ok, await answer.clone().text()).toBe(true);
  return answer;
}

/** Opens the feed and waits until it runs. `ended` tells when it ends. */
async function openFeed(headers: Record<string, string>): Promise<{ ended: Promise<number> }> {
  const answer = await call("GET", "feed", headers);
  expect(answer.status).toBe(200);
  const reader = answer.body?.getReader();
  const read = async () => (await reader?.read())?.done === false;
  await read(); // how long to wait before a reconnection
  await read(); // ready
  const untilEnd = async () => {
    while (await read());
    return performance.now();
  };
  return { ended: untilEnd() };
}

/** A colleague with a password. */
async function colleague(): Promise<TestAccount> {
  const account = await makeAccount({ role: "developer", workspaceId: owner.workspaceId });
  await prisma().user.update({ where: { id: account.userId }, data: { passwordHash: await HASH } });
  return account;
}

/** The colleague watches while `change` happens: the cookie is dead as soon as it is done, and the feed ends soon. @returns after how many milliseconds */
async function measure(account: TestAccount, change: () => Promise<unknown>): Promise<number> {
  const headers = { cookie: account.cookie };
  const feed = await openFeed(headers);
  await change();
  const done = performance.now();
  expect((await call("GET", "overview", headers)).status).toBe(401);
  return (await feed.ended) - done;
}

const CHANGES: Record<string, (account: TestAccount) => Promise<unknown>> = {
  "sign-out": (account) => deleteSession(account.sessionHash),
  "password change": ({ cookie }) =>
    call("PUT", "account/password", { cookie }, { body: { current: password, next: "another-violet-tram" } }),
  "password change in another browser": async (account) => {
    const other = await openSession(account.workspaceId, account.userId);
    await call("PUT", "account/password", { cookie: other.cookie }, { body: { current: password, next: "another-violet-tram" } });
  },
  "role change": ({ userId }) =>
    call("PATCH", "members/[id]", { cookie: owner.cookie }, { params: { id: userId }, body: { role: "viewer" } }),
  removal: ({ userId }) => call("DELETE", "members/[id]", { cookie: owner.cookie }, { params: { id: userId } }),
  leaving: ({ cookie }) => call("DELETE", "members/me", { cookie }),
  "ending the session from another browser": async (account) => {
    const other = await openSession(account.workspaceId, account.userId);
    await call("DELETE", "account/sessions/[id]", { cookie: other.cookie }, { params: { id: `ses_${account.sessionHash.slice(0, 16)}` } });
  },
  "ending all others": async (account) => {
    const other = await openSession(account.workspaceId, account.userId);
    await call("DELETE", "account/sessions", { cookie: other.cookie });
  },
  "setting up a second factor in another browser": async ({ workspaceId, userId }) => {
    await setUpTotp(browserOf((await openSession(workspaceId, userId)).cookie));
  },
  "switching the workspace": async (account) => {
    const elsewhere = await makeAccount({ userId: account.userId });
    await call("PUT", "session/workspace", { cookie: account.cookie }, { body: { workspaceId: elsewhere.workspaceId } });
  },
};

for (const [name, change] of Object.entries(CHANGES))
  test(`after ${name} the old cookie is dead at once and the open feed ends`, async () => {
    const account = await colleague();
    const took = await measure(account, () => change(account));
    expectPace(took, LIMIT_MS);
  });

test("a browser's session lives until the one that replaces it has begun", async () => {
  const { userId, cookie } = await colleague();
  const beginning = await inTransaction(pool(), async (client) => {
    await client.query("SELECT FROM users WHERE id = $1 FOR UPDATE", [userId]);
    const begun = beginSession(new Headers({ cookie }), { userId, method: "sso", now: new Date() });
    await untilBlocked("INSERT INTO sessions%");
    expect((await call("GET", "overview", { cookie })).status).toBe(200);
    return { begun };
  });
  await beginning.begun;
  expect((await call("GET", "overview", { cookie })).status).toBe(401);
});

test("when the news of it is lost, the feed still ends in time: it asks by itself", { tags: ["deep"] }, async () => {
  const account = await colleague();
  const took = await measure(account, () => pool().query("DELETE FROM sessions WHERE id_hash = $1", [account.sessionHash]));
  expectPace(took, LIMIT_MS);
});

test("a revoked key's feed ends too", async () => {
  const key = `sbx_${"k".repeat(40)}`;
  const id = newId("key");
  await prisma().apiKey.create({
    data: { id, workspaceId: owner.workspaceId, name: "feed", hint: "sbx_", keyHash: hashToken(key), role: "viewer" },
  });
  const feed = await openFeed({ authorization: `Bearer ${key}` });
  await call("DELETE", "api-keys/[id]", { cookie: owner.cookie }, { params: { id } });
  const done = performance.now();
  expectPace((await feed.ended) - done, LIMIT_MS);
});

test("somebody else's feed goes on", async () => {
  const [leaver, stayer] = [await colleague(), await colleague()];
  const feed = await openFeed({ cookie: stayer.cookie });
  await measure(leaver, () => deleteSession(leaver.sessionHash));
  const pause = new Promise<"open">((resolve) => setTimeout(() => resolve("open"), 300));
  await expect(Promise.race([feed.ended, pause])).resolves.toBe("open");
  await deleteSession(stayer.sessionHash);
  await feed.ended;
});

test("after a password change this browser goes on with a new cookie, and so does one that switches the workspace", async () => {
  const account = await colleague();
  const elsewhere = await makeAccount({ userId: account.userId });
  const cookieOf = (answer: Response) => answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const changed = cookieOf(
    await call("PUT", "account/password", { cookie: account.cookie }, { body: { current: password, next: "another-violet-tram" } }),
  );
  const session = await call("GET", "session", { cookie: changed });
  expect(await session.json()).toMatchObject({ workspace: { id: owner.workspaceId }, role: "developer" });
  const switched = cookieOf(await call("PUT", "session/workspace", { cookie: changed }, { body: { workspaceId: elsewhere.workspaceId } }));
  expect((await call("GET", "session", { cookie: changed })).status).toBe(401);
  const there = await call("GET", "session", { cookie: switched });
  expect(await there.json()).toMatchObject({ workspace: { id: elsewhere.workspaceId }, role: "owner" });
});
