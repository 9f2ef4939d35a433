import { expect, test } from "vitest";
import type { Actor } from "#lib/auth/actor";
import { recordAudit } from "#lib/auth/audit";
import { listAudit } from "#lib/auth/audit-store";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { withRequestAddress } from "#lib/http/request-address";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { clearWorlds, makeExampleWorld } from "#tests/support/example-world";
import { figure } from "#tests/support/figure";
import { callExample, listDeclared } from "#tests/support/routes";

useDatabase({ SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1" });

/** The example's body, for real where the example only asks what would happen. */
function inEarnest(body: unknown): { body?: unknown } {
  return body && typeof body === "object" && "dryRun" in body ? { body: { ...body, dryRun: false } } : {};
}

async function someActor(): Promise<Actor> {
  const { workspaceId, userId, email, sessionHash } = await makeAccount();
  return { workspaceId, workspaceName: "Acme", role: "owner", by: { kind: "session", sessionHash, userId, email, name: null } };
}

test("every change that a route can make stands in the audit log: who, what, from where", { timeout: 120_000 }, async () => {
  const changes = (await listDeclared()).filter(({ method }) => method !== "GET");
  const faults: string[] = [];
  let entries = 0;
  for (const endpoint of changes) {
    await clearWorlds();
    const { cookie, workspaceId, userId } = await makeExampleWorld();
    const { _max } = await prisma().auditEntry.aggregate({ _max: { id: true } });
    const name = `${endpoint.method} /${endpoint.route}`;
    const headers = { cookie, origin: "http://localhost:3000" };
    const answer = await withRequestAddress("198.51.100.7", () =>
      callExample(endpoint, headers, inEarnest(endpoint.declaration.example.body)),
    );
    if (!answer.ok) faults.push(`${name} answers its example with ${answer.status}`);
    const written = await prisma().auditEntry.findMany({ where: { id: { gt: _max.id ?? 0n }, workspaceId, actorId: userId } });
    entries += written.length;
    if (!written.some(({ address, credential }) => address === "198.51.100.7" && credential?.startsWith("ses_")))
      faults.push(`${name} left no entry`);
  }
  expect(faults).toEqual([]);
  figure(20, `${changes.length} routes that change something: each left its entry in the audit log (${entries} entries)`);
});

test("making a key tells its role, revoking it its id, rotating a secret that it was done; none of them the secret", async () => {
  await clearWorlds();
  const { cookie, workspaceId } = await makeExampleWorld();
  const routes = await listDeclared();
  const told: unknown[] = [];
  const secrets: string[] = [];
  for (const [method, route] of [
    ["POST", "api/v1/api-keys"],
    ["DELETE", "api/v1/api-keys/[id]"],
    ["POST", "api/v1/sources/[id]/rotate"],
    ["DELETE", "api/v1/connections/[id]"],
    ["PATCH", "api/v1/members/[id]"],
  ]) {
    const endpoint = routes.find((each) => each.method === method && each.route === route);
    if (!endpoint) throw new Error(`there is no ${method} ${route}`);
    const answer = await callExample(endpoint, { cookie, origin: "http://localhost:3000" });
    const body = answer.status === 204 ? {} : ((await answer.json()) as { key?: string; secret?: string });
    secrets.push(...[body.key, body.secret].filter((secret) => secret !== undefined));
    told.push((await listAudit(workspaceId, {}, { limit: 1 })).data[0]);
  }
  expect(told).toMatchObject([
    { action: "key.created", target: { name: "nightly export" }, after: { role: "viewer" } },
    { action: "key.revoked", target: { id: "key_example" } },
    { action: "secret.rotated", target: { id: "src_example" }, after: { given: false } },
    { action: "connection.disconnected", target: { id: "con_example" }, after: { erased: true } },
    { action: "member.role_changed", before: { role: "developer" }, after: { role: "viewer" } },
  ]);
  expect(secrets).toHaveLength(2);
  for (const secret of secrets)
    expect(JSON.stringify(await prisma().auditEntry.findMany({ select: { before: true, after: true } }))).not.toContain(secret);
});

test("the database refuses to change, remove or empty the log, whoever asks", async () => {
  const actor = await someActor();
  await recordAudit(actor, { action: "workspace.renamed", before: { name: "a" }, after: { name: "b" } });
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
  await recordAudit(actor, { action: "workspace.renamed" }, client);
  await client.query("ROLLBACK");
  client.release();
  expect((await listAudit(actor.workspaceId, {}, { limit: 10 })).data).toEqual([]);
});

test("what carries a secret's name is hidden, however deep it stands", async () => {
  const actor = await someActor();
  const after = { name: "n", clientSecret: "s3cret", nested: [{ password: "s3cret", access_token: "s3cret", key: "s3cret", keys: 3 }] };
  await recordAudit(actor, { action: "key.created", after });
  const [entry] = (await listAudit(actor.workspaceId, {}, { limit: 10 })).data;
  expect(JSON.stringify(entry)).not.toContain("s3cret");
  expect(entry?.after).toMatchObject({ name: "n", clientSecret: "(hidden)", nested: [{ keys: 3 }] });
});

test("filters find by action, by its first word, by name, by time; pages follow each other; another workspace sees nothing", async () => {
  const actor = await someActor();
  for (const action of ["member.invited", "member.removed", "key.created"])
    await recordAudit(actor, { action, target: { kind: "thing", id: `id-of-${action}`, name: "Ben" } });
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
