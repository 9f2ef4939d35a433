import { beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { insertApiKey } from "#lib/auth/api-key-store";
import { PERMISSIONS } from "#lib/auth/permissions";
import { env, resetEnv } from "#lib/config/env";
import { memberList, sessionInfo } from "#lib/contracts/auth/settings";
import { connectionDetail, connectionPage, startConnectResult } from "#lib/contracts/connections";
import { prisma } from "#lib/db/prisma";
import { makeAccount, type TestAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { callApi } from "#tests/support/members";

useDatabase();

const route = "v1/connections";
const one = `${route}/[id]`;

test("without a platform and with the sandbox off nothing is started, and the answer says what is missing", async () => {
  const { sandboxOn, SANDBOX } = env();
  expect([sandboxOn, SANDBOX]).toEqual([true, undefined]);
  resetEnv({ SANDBOX: "off" });
  const answer = await callApi("POST", route, owner, { body: { name: "Acme" } });
  expect(await answer.json()).toMatchObject({ status: 409, detail: expect.stringContaining("PLATFORM_AUTH_URL, PLATFORM_TOKEN_URL") });
  expect((await (await callApi("GET", route, owner)).json()).data).toEqual([]);
});

let owner: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  [owner, stranger] = [await makeAccount(), await makeAccount()];
});

const startOne = async (account: TestAccount, body: object = {}) =>
  startConnectResult.parse(await (await callApi("POST", route, account, { body })).json());

test("a connection begins, is listed and read as the contract says, and never shows a token", async () => {
  const started = await startOne(owner, { name: "Acme" });
  expect(started.authorizationUrl).toMatch(/^http:\/\/localhost:3000\/sandbox\/oauth\/authorize\?client_id=/);
  const page = connectionPage.parse(await (await callApi("GET", route, owner)).json());
  expect(page.data.map(({ id }) => id)).toContain(started.connectionId);
  const detail = z
    .strictObject(connectionDetail.shape)
    .parse(await (await callApi("GET", one, owner, { params: { id: started.connectionId } })).json());
  expect(detail).toMatchObject({ name: "Acme", state: "pending", history: [] });
});

test("a connection is renamed, with the name kept in the audit log; a stranger's, an empty name and a control character are rejected", async () => {
  const { connectionId: id } = await startOne(owner);
  const named = (account: TestAccount, name: string) => callApi("PATCH", one, account, { params: { id }, body: { name } });
  expect(connectionDetail.parse(await (await named(owner, " Head office ")).json()).name).toBe("Head office");
  expect((await named(stranger, "Mine")).status).toBe(404);
  expect((await callApi("POST", route, stranger, { body: { connectionId: id } })).status).toBe(404);
  expect([(await named(owner, " ")).status, (await named(owner, "a\u0007b")).status]).toEqual([400, 400]);
  const entry = await prisma().auditEntry.findFirst({ where: { workspaceId: owner.workspaceId, action: "connection.renamed" } });
  expect([entry?.before, entry?.after]).toEqual([{ name: expect.stringMatching(/^Account \d+$/) }, { name: "Head office" }]);
});

test("lists come in pages, each connection once", async () => {
  const account = await makeAccount();
  for (let made = 0; made < 5; made++) await startOne(account);
  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: { data: { name: string }[]; nextCursor: string | null } = connectionPage.parse(
      await (await callApi("GET", route, account, { query: { limit: "2", ...(cursor && { cursor }) } })).json(),
    );
    seen.push(...page.data.map(({ name }) => name));
    cursor = page.nextCursor;
  }
  expect(seen.sort()).toEqual(["Account 1", "Account 2", "Account 3", "Account 4", "Account 5"]);
});

test("a connection that has no grant can't be renewed, and is removed for good", async () => {
  const { connectionId: id } = await startOne(owner);
  expect((await callApi("POST", `${one}/refresh`, owner, { params: { id } })).status).toBe(409);
  expect((await callApi("DELETE", one, owner, { params: { id } })).status).toBe(204);
  expect((await callApi("GET", one, owner, { params: { id } })).status).toBe(404);
});

test("an API key reads but can't connect: a browser has to come back", async () => {
  const { key } = await insertApiKey(owner.workspaceId, { name: "ci", role: "admin", createdBy: null });
  const script = { authorization: `Bearer ${key}` };
  expect((await callApi("GET", route, script)).status).toBe(200);
  expect((await callApi("POST", route, script)).status).toBe(409);
  expect(sessionInfo.parse(await (await callApi("GET", "v1/session", script)).json())).toMatchObject({ user: null, role: "admin" });
});

test("nobody but owners and admins manages keys and sources", () => {
  expect(PERMISSIONS["keys.manage"].roles).toEqual(["owner", "admin"]);
  expect(PERMISSIONS["sources.manage"].roles).toEqual(["owner", "admin"]);
  const viewers = Object.entries(PERMISSIONS).filter(([, { roles }]) => (roles as readonly string[]).includes("viewer"));
  for (const [operation] of viewers)
    expect(operation).toMatch(/\.read$|^account\.manage$|^assistants\.use$|^signatures\.check$|^saved_filters\.manage$/);
});

test("a key of an owner can't be made", async () => {
  expect((await callApi("POST", "v1/api-keys", owner, { body: { name: "too much", role: "owner" } })).status).toBe(400);
});

test("session and members tell who is asking and who is there", async () => {
  expect(sessionInfo.parse(await (await callApi("GET", "v1/session", owner)).json())).toMatchObject({
    user: { email: owner.email },
    role: "owner",
  });
  const { data } = memberList.parse(await (await callApi("GET", "v1/members", owner)).json());
  expect(data.map(({ email }) => email)).toEqual([owner.email]);
});
