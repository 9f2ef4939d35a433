import { expect, test } from "vitest";
import type { Actor } from "#lib/auth/actor";
import { auditOf } from "#lib/auth/audit/audit";
import { listAudit } from "#lib/auth/audit/audit-store";
import { changeSettings, findSettings } from "#lib/auth/members/workspace-store";
import { pool } from "#lib/db/pool";
import { setRetention } from "#lib/flows/events/retention";
import { makeAccount } from "#tests/support/account";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { clearWorlds, makeExampleWorld } from "#tests/support/example-world";
import { callExample, findDeclared } from "#tests/support/routes";

useDatabase({ SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1", BACKUP_DIR: "no-worker-writes-here" });

async function someActor(): Promise<Actor> {
  const { workspaceId, userId, email, sessionHash } = await makeAccount();
  return { workspaceId, workspaceName: "Acme", role: "owner", by: { kind: "session", sessionHash, userId, email, name: null } };
}

test("making a key tells its role, revoking it its id, rotating a secret that it was done", async () => {
  await clearWorlds();
  const { cookie, workspaceId } = await makeExampleWorld();
  const told: unknown[] = [];
  for (const [method, route] of [
    ["POST", "api/v1/api-keys"],
    ["DELETE", "api/v1/api-keys/[id]"],
    ["POST", "api/v1/sources/[id]/rotate"],
    ["DELETE", "api/v1/connections/[id]"],
    ["PATCH", "api/v1/members/[id]"],
  ] as const) {
    await callExample(await findDeclared(method, route), { cookie, origin: "http://localhost:3000" });
    told.push((await listAudit(workspaceId, {}, { limit: 1 })).data[0]);
  }
  expect(told).toMatchObject([
    { action: "key.created", target: { name: "nightly export" }, after: { role: "viewer" } },
    { action: "key.revoked", target: { id: "key_example" }, before: { role: "viewer" }, after: null },
    { action: "secret.rotated", target: { id: "src_example" }, before: { active: "sec_example" }, after: { given: false } },
    {
      action: "connection.disconnected",
      target: { id: "con_example" },
      before: { state: "connected" },
      after: { state: "disconnected", erased: true },
    },
    { action: "member.role_changed", before: { role: "developer" }, after: { role: "viewer" } },
  ]);
});

test("a workspace's setting tells what it was and what it is, by its name in the API; one that is so already tells nothing", async () => {
  const [actor, other] = [await someActor(), await someActor()];
  const context = contextOf(actor);
  await changeSettings(context, { name: "Acme production" });
  await setRetention(context, 30);
  await setRetention(context, 30);
  expect(await changeSettings(context, { name: "Acme production", requiresSecondFactor: undefined })).toEqual(
    await findSettings(actor.workspaceId),
  );
  const { data } = await listAudit(actor.workspaceId, {}, { limit: 10 });
  expect(data.map(({ action, before, after }) => [action, before, after])).toEqual([
    ["retention.changed", { days: 90 }, { days: 30 }],
    ["workspace.renamed", { name: expect.any(String) }, { name: "Acme production" }],
  ]);
  expect(await findSettings(other.workspaceId)).toMatchObject({ retentionDays: 90, requiresSecondFactor: false });
  await expect(changeSettings(context, { name: "not kept" }, () => Promise.reject(new Error("not now")))).rejects.toThrow("not now");
  expect((await findSettings(actor.workspaceId)).name).toBe("Acme production");
});

test("the database refuses to change, remove or empty the log, whoever asks", async () => {
  const actor = await someActor();
  await auditOf(actor).record({ action: "workspace.renamed", before: { name: "a" }, after: { name: "b" } });
  for (const statement of [
    "UPDATE audit_entries SET actor_name = 'somebody else'",
    "DELETE FROM audit_entries",
    "TRUNCATE audit_entries",
    "DELETE FROM audit_entries WHERE id = 0 OR true",
    `INSERT INTO audit_entries (id, workspace_id, action, actor_kind, actor_name)
     SELECT id, workspace_id, 'forged', actor_kind, actor_name FROM audit_entries LIMIT 1 ON CONFLICT (id) DO UPDATE SET action = 'forged'`,
  ])
    await expect(pool().query(statement), statement).rejects.toThrow("the audit log is append-only");
  const { data } = await listAudit(actor.workspaceId, {}, { limit: 10 });
  expect(data).toMatchObject([{ action: "workspace.renamed", before: { name: "a" }, after: { name: "b" } }]);
});

test("an entry stands or falls with the change that it tells of", async () => {
  const actor = await someActor();
  const client = await pool().connect();
  await client.query("BEGIN");
  await auditOf(actor).record({ action: "workspace.renamed" }, client);
  await client.query("ROLLBACK");
  client.release();
  expect((await listAudit(actor.workspaceId, {}, { limit: 10 })).data).toEqual([]);
});

test("of values before and after only those that changed are kept", async () => {
  const actor = await someActor();
  const at = new Date();
  await auditOf(actor).record({
    action: "key.revoked",
    before: { name: "n", at, roles: ["a"], gone: 1 },
    after: { name: "n", at: at.toISOString(), roles: ["a", "b"] },
  });
  const [entry] = (await listAudit(actor.workspaceId, {}, { limit: 1 })).data;
  expect(entry).toMatchObject({ before: { roles: ["a"], gone: 1 }, after: { roles: ["a", "b"] } });
  expect(Object.keys(entry?.after ?? {})).toEqual(["roles"]);
  expect(Object.keys(entry?.before ?? {}).sort()).toEqual(["gone", "roles"]);
});

test("what carries a secret's name is hidden, however deep it stands", async () => {
  const actor = await someActor();
  const after = { name: "n", clientSecret: "s3cret", nested: [{ password: "s3cret", access_token: "s3cret", key: "s3cret", keys: 3 }] };
  await auditOf(actor).record({ action: "key.created", after });
  const [entry] = (await listAudit(actor.workspaceId, {}, { limit: 10 })).data;
  expect(JSON.stringify(entry)).not.toContain("s3cret");
  expect(entry?.after).toMatchObject({ name: "n", clientSecret: "(hidden)", nested: [{ keys: 3 }] });
});

test("filters find by action, by its first word, by name, by time; pages follow each other; another workspace sees nothing", async () => {
  const actor = await someActor();
  for (const action of ["member.invited", "member.removed", "key.created"] as const)
    await auditOf(actor).record({ action, target: { kind: "thing", id: `id-of-${action}`, name: "Ben" } });
  const actions = async (filter: object, limit = 10) =>
    (await listAudit(actor.workspaceId, filter, { limit })).data.map(({ action }) => action);
  expect(await actions({ action: "member" })).toEqual(["member.removed", "member.invited"]);
  expect(await actions({ action: "key.created" })).toEqual(["key.created"]);
  expect(await actions({ action: "mem" })).toEqual([]);
  expect(await actions({ q: "of-KEY" })).toEqual(["key.created"]);
  expect(await actions({ q: "100%_" })).toEqual([]);
  expect(await actions({ from: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
  expect(await actions({ to: new Date(Date.now() + 60_000).toISOString() })).toHaveLength(3);
  const first = await listAudit(actor.workspaceId, {}, { limit: 2 });
  const rest = await listAudit(actor.workspaceId, {}, { limit: 2, ...(first.nextCursor && { cursor: first.nextCursor }) });
  expect([...first.data, ...rest.data].map(({ action }) => action)).toEqual(["key.created", "member.removed", "member.invited"]);
  expect(rest.nextCursor).toBeNull();
  expect((await listAudit((await someActor()).workspaceId, {}, { limit: 10 })).data).toEqual([]);
});
