import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anonymousRecorded, recordAnonymous } from "#lib/auth/audit/audit-anonymous";
import { AUDIT_ACTIONS, auditWords } from "#lib/auth/audit/audit-entry";
import { deleteSession, insertSession } from "#lib/auth/session-store";
import { signIn } from "#lib/auth/sign-in/sign-in";
import { bindSubject } from "#lib/auth/sign-in/sso-store";
import { env, resetEnv } from "#lib/config/env";
import { type SourceId, sourceId as toSourceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { applyRetention } from "#lib/flows/events/retention";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { requestBackup } from "#lib/flows/installation/backup/read-backups";
import { resetForgottenPassword } from "#lib/flows/members/manage-account";
import { acceptInvitation } from "#lib/flows/members/members";
import { provisionWorkspace } from "#lib/flows/members/set-up-workspace";
import { expireQuarantine } from "#lib/flows/quarantine/quarantine";
import { withRequestIp } from "#lib/http/request-head";
import { hashToken } from "#lib/vault/opaque-token";
import { openSession } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { canaryOf, clearWorlds, type ExampleWorld, makeExampleWorld } from "#tests/support/example-world";
import { append } from "#tests/support/log-writer";
import { actorOf, begin } from "#tests/support/platform-connection";
import { callExample, type DeclaredEndpoint, findDeclared, listDeclared } from "#tests/support/routes";
import { browserOf, enterWithPassword, setUpTotp, stepJson, takeStep } from "#tests/support/second-factors";
import { TokenServer } from "#tests/support/token-server";
import { passOverWaiting } from "#tests/support/waiting";
import { SECRET } from "#tests/support/webhooks";
import { GET as callback } from "../../../app/callback/route.ts";

const ADDRESS = "198.51.100.7";
const platform = new TokenServer();
useDatabase({ SANDBOX: "on" });

beforeAll(async () =>
  resetEnv({ PLATFORM_TOKEN_URL: await platform.listen(), BACKUP_DIR: path.join(tmpdir(), "signalbox-audited-backups") }),
);
afterAll(() => platform.close());
platform.answer = () => ({ body: { access_token: "find-me-access", refresh_token: "find-me-refresh", expires_in: 600 } });

/** Routes that are asked to change something and, by what they are for, never do. */
const CHANGES_NOTHING = [
  "POST api/v1/redeliveries/[id]/dry-run",
  "POST api/v1/destinations/preview",
  "POST api/v1/sources/[id]/field-mapping/preview",
  "POST api/v1/sources/[id]/reading/preview",
  "POST api/v1/sources/[id]/check",
  "POST api/v1/sources/[id]/learn",
  "POST api/v1/signature-checks",
  // A local app's answer is a record of its own kind, and an assistant changes things through the API's other routes.
  "POST api/v1/local-deliveries",
  "POST api/v1/mcp",
];

const setState = (table: "redeliveries" | "operations" | "issues" | "missing_events", state: string) =>
  pool().query(`UPDATE ${table} SET state = $1`, [state]);

/** Makes that operation one that learns the example's type again. */
const relearnInstead = (id: string, state: string) =>
  pool().query(`UPDATE operations SET kind = 'relearn', input = '{"schemaId":"ety_example"}', state = $2 WHERE id = $1`, [id, state]);

/** Returns what has to be so for an example to change something. */
const PREPARATIONS: Record<string, () => Promise<unknown>> = {
  "POST api/v1/redeliveries/[id]/start": () => setState("redeliveries", "aborted"),
  "DELETE api/v1/redeliveries/[id]": () => setState("redeliveries", "held"),
  "DELETE api/v1/views/rebuilds/[id]": () => setState("operations", "queued"),
  "POST api/v1/operations/[id]/stop": () => setState("operations", "queued"),
  "POST api/v1/backups": () => pool().query("DELETE FROM backups"),
  "DELETE api/v1/backups": () => requestBackup({ record: async () => {}, unchanged: () => {} }),
  "POST api/v1/quarantine/restorations": () => pool().query("UPDATE quarantine SET dismissed_at = now()"),
  "POST api/v1/missing-events/restorations": () => setState("missing_events", "dismissed"),
};

/** Other ways in which a route is called, each with an action of its own. */
const VARIANTS: Record<string, { prepare?: () => Promise<unknown>; params?: Record<string, string>; body?: unknown }[]> = {
  "POST api/v1/issues/[id]/state": [
    { body: { action: "resolve" } },
    { body: { action: "ignore" } },
    { prepare: () => setState("issues", "ignored"), body: { action: "reopen" } },
  ],
  "POST api/v1/redeliveries/[id]/start": [{ prepare: () => setState("redeliveries", "held") }],
  "POST api/v1/quarantine/releases": [{ body: { filter: {}, background: true } }],
  "POST api/v1/operations/[id]/stop": [
    ...["exp_example", "rty_example"].map((id) => ({ prepare: () => setState("operations", "queued"), params: { id } })),
    { prepare: () => relearnInstead("exp_example", "queued"), params: { id: "exp_example" } },
  ],
  "POST api/v1/operations/[id]/resume": [
    ...["reb_example", "rty_example"].map((id) => ({ prepare: () => setState("operations", "failed"), params: { id } })),
    { prepare: () => relearnInstead("exp_example", "failed"), params: { id: "exp_example" } },
  ],
  "POST api/v1/event-types/[id]/pin": [
    { prepare: () => pool().query("UPDATE event_schemas SET pin = '{}' WHERE id = 'ety_example'"), body: { pinned: false } },
  ],
  "POST api/v1/issues/[id]/snooze": [{ body: { for: "none" } }],
  "POST api/v1/sources/[id]/accept-again": [
    {
      prepare: () => pool().query("UPDATE source_secrets SET valid_until = now() + interval '1 hour' WHERE id = 'sec_retired_example'"),
      body: { secret: "sec_retired_example", hours: 0 },
    },
  ],
  "PATCH api/v1/sources/[id]": [
    { prepare: () => pool().query("UPDATE sources SET archived_at = now()"), body: { archived: false } },
    { body: { paused: true } },
    { prepare: () => pool().query("UPDATE sources SET paused_at = now()"), body: { paused: false } },
  ],
};

/** The example's body, for real where the example only asks what would happen. */
const inEarnest = (body: unknown): { body?: unknown } =>
  body && typeof body === "object" && "dryRun" in body ? { body: { ...body, dryRun: false } } : {};

const secrets = new Set([SECRET, "the example's password", "tram-violet-7-lake", "a-webhook-secret-of-the-tests", "find-me"]);
for (const kind of ["access", "refresh"]) secrets.add(`${kind} ${canaryOf("example")}`);

/** Secrets that an answer gives away once: keys, generated secrets, links and cookies. */
async function noteSecretsOf(answer: Response): Promise<void> {
  const cookie = answer.headers.get("set-cookie");
  if (cookie) secrets.add(cookie.split(";")[0]?.split("=")[1] ?? cookie);
  const body = answer.headers.get("content-type")?.startsWith("application/json") ? ((await answer.json()) as Record<string, unknown>) : {};
  for (const name of ["key", "secret", "token"]) if (typeof body[name] === "string") secrets.add(body[name]);
  for (const name of ["url", "authorizationUrl"])
    if (typeof body[name] === "string")
      for (const [parameter, value] of new URL(body[name]).searchParams) if (["token", "state"].includes(parameter)) secrets.add(value);
}

/** Selects whatever the database keeps sealed or hashed. */
let storedSecrets = "";
beforeAll(async () => {
  const { rows } = await pool().query<{ part: string }>(
    `SELECT format('SELECT %I AS value FROM %I', column_name, table_name) AS part FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'text' AND column_name ~ '(hash|sealed)$'`,
  );
  storedSecrets = rows.map(({ part }) => part).join(" UNION ");
});

async function noteStoredSecrets(): Promise<void> {
  const { rows } = await pool().query<{ value: string | null }>(storedSecrets);
  for (const { value } of rows) if (value) secrets.add(value);
}

const recorded = new Set<string>();
/** Actions that tell the state before and not what it is now. */
const stateless = new Set<string>();
const hasState = (side: unknown) => typeof side === "object" && side !== null && "state" in side;

/** Makes a world, does something in it, and returns the entries that it left. */
async function entriesOf(work: (world: ExampleWorld) => Promise<unknown>) {
  await clearWorlds();
  const world = await makeExampleWorld();
  secrets.add(world.cookie.split("=")[1] ?? "");
  const { _max } = await prisma().auditEntry.aggregate({ _max: { id: true } });
  await withRequestIp(ADDRESS, () => work(world));
  await anonymousRecorded();
  const entries = await prisma().auditEntry.findMany({ where: { id: { gt: _max.id ?? 0n } } });
  for (const { action, before, after } of entries) {
    recorded.add(action);
    if (hasState(before) && !hasState(after)) stateless.add(action);
  }
  await noteStoredSecrets();
  return entries;
}

async function callAndNote(
  endpoint: DeclaredEndpoint,
  { cookie }: ExampleWorld,
  change: { params?: Record<string, string>; body?: unknown },
): Promise<Response> {
  const answer = await callExample(endpoint, { cookie, origin: "http://localhost:3000" }, change);
  await noteSecretsOf(answer.clone());
  return answer;
}

async function faultOf(endpoint: DeclaredEndpoint, name: string): Promise<string | null> {
  const { example } = endpoint.declaration;
  let status = 0;
  const entries = await entriesOf(async (world) => {
    await PREPARATIONS[name]?.();
    ({ status } = await callAndNote(endpoint, world, inEarnest(example.body)));
  });
  if (status >= 300) return `${name} answers its example with ${status}`;
  const own = entries.filter(({ workspaceId, actorId }) => workspaceId === "wsp_example" && actorId === "usr_example");
  return own.some(({ address, credential }) => address === ADDRESS && credential?.startsWith("ses_")) ? null : `${name} left no entry`;
}

test("every change that a route can make stands in the audit log: who, what, from where", { timeout: 120_000 }, async () => {
  const changes = (await listDeclared()).filter(({ method }) => method !== "GET");
  const faults: (string | null)[] = [];
  for (const endpoint of changes) {
    const name = `${endpoint.method} ${endpoint.route}`;
    if (!CHANGES_NOTHING.includes(name)) faults.push(await faultOf(endpoint, name));
    for (const { prepare, ...change } of VARIANTS[name] ?? [])
      await entriesOf(async (world) => {
        await prepare?.();
        await callAndNote(endpoint, world, change);
      });
  }
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

async function comeBack(world: ExampleWorld, code: string): Promise<void> {
  const { state } = await begin(await actorOf(world));
  secrets.add(state).add(code);
  await callback(new Request(`http://localhost:3000/callback?state=${state}&code=${code}`, { headers: { cookie: world.cookie } }));
}

/** Returns what happens elsewhere than in a declared route. */
const NEW_KEY = `sbx_find-me-${"k".repeat(40)}`;

const ELSEWHERE: Record<string, (world: ExampleWorld) => Promise<unknown>> = {
  "sign-in, sign-out": async ({ workspaceId, userId }) => {
    const idHash = hashToken("find-me-session");
    await insertSession({ idHash, userId, workspaceId, userAgent: null, method: "password", factor: "totp", now: new Date() });
    await deleteSession(idHash);
  },
  "failed sign-ins": async ({ userId }) => {
    const { id, email, name } = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
    for (let tries = 0; tries < 12; tries += 1) await signIn({ email, password: "find-me-guess" }, new Date());
    await recordAnonymous({ id, email, name }, "sign_in.rejected", { reason: "another identity" });
  },
  "a second factor that is set up, asked for and failed": async ({ workspaceId }) => {
    const userId = "usr_example_partner";
    const browser = browserOf((await openSession(workspaceId, userId)).cookie);
    await stepJson(browser, "confirmation", { password: "the example's password" });
    const { secret, recoveryCodes } = await setUpTotp(browser);
    for (const each of [secret, ...recoveryCodes]) secrets.add(each);
    const waiting = await enterWithPassword({ userId });
    await takeStep(waiting, "proof", { proof: { kind: "recovery_code", code: "find-me-guessed" } });
  },
  "an invite that is accepted": async ({ workspaceId }) => {
    const tokenHash = hashToken("find-me-invite");
    const expiresAt = new Date(Date.now() + 60_000);
    await prisma().invitation.create({ data: { id: "inv_2", workspaceId, tokenHash, role: "viewer", createdBy: "ada", expiresAt } });
    const account = { email: "new@example.com", name: "New", password: "tram-violet-7-lake" };
    await acceptInvitation(new Headers(), { token: "find-me-invite", account }, new Date());
  },
  "a password that is reset on the command line": async ({ userId }) => {
    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
    secrets.add((await resetForgottenPassword(email)).password);
  },
  "a password that single sign-on ends": async ({ userId }) => {
    const account = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
    await bindSubject("https://id.example.com", "subject", account, new Date());
  },
  "the environment's key and secret": ({ workspaceId }) =>
    provisionWorkspace(workspaceId, { ...env(), INIT_API_KEY: NEW_KEY, WEBHOOK_SECRET: "find-me-secret" }, true, new Date()),
  "an account that is connected": (world) => comeBack(world, "find-me-code"),
  "an access that is not renewed": async ({ cookie }) => {
    const working = platform.answer;
    platform.answer = () => ({ status: 503, body: {} });
    const answer = await callExample(await findDeclared("POST", "api/v1/connections/[id]/refresh"), {
      cookie,
      origin: "http://localhost:3000",
    });
    platform.answer = working;
    expect(answer.status).toBe(200);
    const entry = await prisma().auditEntry.findFirstOrThrow({
      where: { action: { startsWith: "connection.rene" } },
      orderBy: { id: "desc" },
    });
    expect([entry.action, auditWords(entry.action)]).toEqual([
      "connection.renewal_failed",
      "Tried to renew access manually, without success",
    ]);
  },
  "an account that is not connected": async (world) => {
    platform.answer = () => ({ status: 400, body: { error: "invalid_grant" } });
    await comeBack(world, "find-me-code");
  },
  "events that expire, and deliveries that were held for too long": async ({ workspaceId }) => {
    const { rows } = await pool().query<{ id: string }>("SELECT id FROM sources WHERE workspace_id = $1 LIMIT 1", [workspaceId]);
    const event = { eventId: "evt_expired", type: "document.uploaded", created: 1, data: {} };
    await append(workspaceId, (rows[0]?.id ?? "") as SourceId, [event], new Date(Date.now() - 400 * 86_400_000));
    await passOverWaiting();
    await pool().query(
      "INSERT INTO destinations (id, workspace_id, name, url, mode) VALUES ('dst_expired', $1, 'Target', 'https://a.example', 'signed')",
      [workspaceId],
    );
    await pool().query(
      `INSERT INTO forward_deliveries (workspace_id, destination_id, received_at, seq, event_id, type, subject)
       SELECT workspace_id, 'dst_expired', received_at, seq, event_id, type, 'event:1' FROM events WHERE event_id = 'evt_expired'`,
    );
    await applyRetention();
  },
  "a secret that a sender brings": async ({ workspaceId }) => {
    const sourceId = toSourceId.parse("src_learning_example");
    await pool().query("UPDATE sources SET scheme = scheme #- '{learning,secretId}' WHERE id = $1", [sourceId]);
    expect(await createReceiver().learnSecret({ workspaceId, sourceId, secret: "find-me-brought" })).toBe(true);
  },
  "quarantined requests that expire": async () => {
    await pool().query("UPDATE quarantine SET verified = true, received_at = now() - interval '400 days'");
    await expireQuarantine(100);
  },
};

test.each(Object.entries(ELSEWHERE))("%s is recorded, too", async (_, work) => {
  expect((await entriesOf(work)).length).toBeGreaterThan(0);
});

test("every audited action was seen by now, and no entry of any holds a secret", async () => {
  expect(Object.keys(AUDIT_ACTIONS).filter((action) => !recorded.has(action))).toEqual([]);
  expect([...stateless]).toEqual([]);
  expect(secrets.size).toBeGreaterThan(40);
  const { rows } = await pool().query<{ action: string; text: string }>("SELECT action, row_to_json(a)::text AS text FROM audit_entries a");
  const told = rows.flatMap(({ action, text }) =>
    [...secrets].filter((secret) => text.includes(secret)).map((secret) => `${action}: ${secret}`),
  );
  expect(told).toEqual([]);
});
