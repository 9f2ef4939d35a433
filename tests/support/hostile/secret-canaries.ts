import { randomBytes } from "node:crypto";
import { expect, vi } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import { hashPassword } from "#lib/auth/sign-in/password";
import { signIn } from "#lib/auth/sign-in/sign-in";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { refreshConnection, refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { watchFeed } from "#lib/flows/events/watch-feed";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { processEvents } from "#lib/flows/processing/process-events";
import { ensureSource } from "#lib/sources/source-store";
import { makeAccount, type TestAccount } from "#tests/support/account";
import { captureLog } from "#tests/support/captured-log";
import { dumpDatabase, guisesOf } from "#tests/support/dump-database";
import { figure } from "#tests/support/figure";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { actorOf, begin } from "#tests/support/platform-connection";
import { callEndpoint, callRoute, type Endpoint, listEndpoints } from "#tests/support/routes";
import { ALL, type Sample, valuesOf } from "#tests/support/sample";
import { envelope, sign } from "#tests/support/webhooks";
import { GET as callback } from "../../../app/callback/route.ts";
import { receiveUntilKept } from "../receive-until-kept.ts";

const { platform } = useHostilePlatform();

const secretOf = (name: string) => `canary-${name}-${randomBytes(18).toString("hex")}`;
const CANARY = {
  clientSecret: secretOf("client-secret"),
  sessionSecret: secretOf("session-secret"),
  vaultKey: randomBytes(32).toString("base64"),
  webhookSecret: secretOf("webhook-secret"),
  apiKey: `sbx_${randomBytes(24).toString("hex")}`,
  password: secretOf("password"),
  code: secretOf("code"),
  access: secretOf("access"),
  refresh: secretOf("refresh"),
  rotatedAccess: secretOf("rotated-access"),
  rotatedRefresh: secretOf("rotated-refresh"),
};

type Answer = Awaited<ReturnType<typeof platform.answer>>;
type Fields = Record<string, string>;

/** Platforms that go wrong and repeat, in every place of an answer, what they were told in confidence. */
const ECHOES: ((fields: Fields) => Answer)[] = [
  (fields) => ({ status: 400, body: { error: "invalid_grant", error_description: JSON.stringify(fields), fields } }),
  (fields) => ({ status: 400, body: { error: String(fields.code ?? fields.refresh_token) } }),
  (fields) => ({ status: 401, body: { error: String(fields.client_secret) } }),
  (fields) => ({ status: 400, body: { error: String(fields.code_verifier ?? fields.refresh_token) } }),
  (fields) => ({ status: 401, body: `wrong secret: ${fields.client_secret}` }),
  (fields) => ({ status: 503, body: fields }),
  (fields) => ({ body: `<html>${JSON.stringify(fields)}</html>` }),
  (fields) => ({ body: { access_token: 5, fields } }),
  (fields) => ({ body: `{"access_token":"${CANARY.access}","x":${JSON.stringify(fields)}` }),
  (fields) => ({ status: 302, body: "", headers: { location: `http://127.0.0.1:1/?${new URLSearchParams(fields)}` } }),
  () => ({ body: { access_token: CANARY.access, refresh_token: CANARY.refresh, token_type: "mac" } }),
  (fields) => ({ body: fields, ending: "cut_midway" }),
  () => ({ body: "", ending: "cut" }),
];

const shown: string[] = [];
let paths = 0;

async function show(answer: Response | Promise<Response>): Promise<void> {
  const response = await answer;
  shown.push([...response.headers].join("\n"), await response.text());
}

/** Answers that end when the reader goes. The workspace's own feed is read below, the listeners' is made of the same events. */
const STREAMS = ["api/v1/feed", "api/v1/listeners/feed"];

/** Every reading route of the API that comes to an end. */
const listReading = async (): Promise<Endpoint[]> =>
  (await listEndpoints((file) => file.startsWith("api/v1/"))).filter(({ method, route }) => method === "GET" && !STREAMS.includes(route));

/** In the quick suite each look asks what concerns connections, and a tenth of the rest; the last look asks everything. */
const PARTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const isClose = ({ declaration }: Endpoint) => /^(connections|audit)\b/.test(declaration?.operation ?? "");
let looks = 0;

/** Asks the API, by the connection's id where a part wants one. */
async function lookAround(account: TestAccount, id: string, sample: Sample): Promise<void> {
  looks += 1;
  const parts = valuesOf(sample, PARTS, looks);
  const headers = { cookie: account.cookie, origin: "http://localhost:3000" };
  for (const [index, endpoint] of (await listReading()).entries())
    if (isClose(endpoint) || parts.includes(index % PARTS.length)) await show(callEndpoint(endpoint, headers, { params: { id } }));
  await show(callRoute("POST", "api/v1/connections/[id]/refresh", headers, { params: { id } }));
}

async function comeBack(account: TestAccount, state: string): Promise<void> {
  await show(
    callback(
      new Request(`http://localhost:3000/callback?${new URLSearchParams({ code: CANARY.code, state })}`, {
        headers: { cookie: account.cookie },
      }),
    ),
  );
  paths += 1;
}

/** Sends secrets through every error path, and looks for them in the log, every answer, the feed and a dump of the database. */
export async function findCanaries(sample: Sample): Promise<void> {
  const verifiers: string[] = [];
  const spy = vi.spyOn(process.stdout, "write");
  const { VAULT_KEYS: before = "" } = resetEnv({
    PLATFORM_CLIENT_SECRET: CANARY.clientSecret,
    PLATFORM_PKCE: "S256",
    NEXTAUTH_SECRET: CANARY.sessionSecret,
    VAULT_KEYS: `k1:${CANARY.vaultKey}`,
    WEBHOOK_SECRET: CANARY.webhookSecret,
  });
  const log = captureLog();
  const account = await makeAccount();
  const actor = await actorOf(account);
  const { workspaceId } = account;
  await prisma().user.update({ where: { id: account.userId }, data: { passwordHash: await hashPassword(CANARY.password) } });
  await insertApiKey(workspaceId, { name: "ci", role: "admin", createdBy: null, key: CANARY.apiKey });

  // Every way in which an exchange goes wrong.
  for (const echo of ECHOES) {
    platform.answer = ({ fields }) => {
      if (fields.code_verifier) verifiers.push(fields.code_verifier);
      return echo(fields);
    };
    const { state, connectionId } = await begin(actor);
    await comeBack(account, state);
    await lookAround(account, connectionId, sample);
  }

  // Every way in which a renewal and an end go wrong, with tokens that are stored.
  const granted = () => ({ body: { access_token: CANARY.access, refresh_token: CANARY.refresh, expires_in: 600 } });
  for (const echo of ECHOES) {
    platform.answer = granted;
    const { state, connectionId } = await begin(actor);
    await comeBack(account, state);
    platform.answer = ({ fields }) => echo(fields);
    await refreshConnection(workspaceId, connectionId);
    await lookAround(account, connectionId, sample);
    const headers = { cookie: account.cookie, origin: "http://localhost:3000" };
    await show(callRoute("DELETE", "api/v1/connections/[id]", headers, { params: { id: connectionId } }));
    paths += 2;
  }

  // A renewal that works, then a vault without its key, then a table that is not there.
  platform.answer = granted;
  const { state, connectionId } = await begin(actor);
  await comeBack(account, state);
  platform.answer = () => ({ body: { access_token: CANARY.rotatedAccess, refresh_token: CANARY.rotatedRefresh, expires_in: 600 } });
  await refreshConnection(workspaceId, connectionId);
  resetEnv({ VAULT_KEYS: `other:${Buffer.alloc(32, 1).toString("base64")}` });
  await refreshConnection(workspaceId, connectionId);
  await lookAround(account, connectionId, sample);
  resetEnv({ VAULT_KEYS: `k1:${CANARY.vaultKey}` });
  await pool().query("ALTER TABLE connection_tokens RENAME TO elsewhere");
  await lookAround(account, connectionId, sample);
  const late = await begin(actor).catch(() => null);
  if (late) await comeBack(account, late.state);
  await pool().query("UPDATE connections SET next_refresh_at = now() - interval '1 second'");
  await refreshDueConnections();
  await pool().query("ALTER TABLE elsewhere RENAME TO connection_tokens");
  paths += 4;

  // Webhooks, signed with the secret and refused; sign-in with the password and without; a key that may not.
  await ensureSource(workspaceId, "canary", CANARY.webhookSecret, { now: new Date() });
  const receiver = createReceiver();
  for (const signature of [sign("{}", CANARY.webhookSecret), CANARY.webhookSecret, sign("other", CANARY.webhookSecret)]) {
    const answer = await receiveUntilKept(receiver, { source: "canary", headers: { "x-webhook-signature": signature }, body: "{}" });
    shown.push(JSON.stringify(answer));
    paths += 1;
  }
  const body = envelope({ type: "integration.error", data: { integrationId: "int_1", error: { code: "boom", message: "no" } } });
  await receiveUntilKept(receiver, { source: "canary", headers: { "x-webhook-signature": sign(body, CANARY.webhookSecret) }, body });
  await processEvents();
  shown.push(JSON.stringify(await signIn({ email: account.email, password: `${CANARY.password}!` }, new Date())));
  for (const key of [`${CANARY.apiKey}x`, CANARY.apiKey])
    await show(callRoute("GET", "api/v1/connections", { authorization: `Bearer ${key}` }));
  await lookAround(account, connectionId, ALL);

  const frames = await readFrames(account);
  expect(frames).toContain("integration.error");
  const dump = await dumpDatabase();
  const printed = spy.mock.calls.map(([chunk]) => String(chunk)).join("");
  log.stop();
  resetEnv({ VAULT_KEYS: before });

  const canaries = { ...CANARY, verifier: verifiers[0] ?? "", cookie: account.cookie.split("=")[1] ?? "" };
  expect(Object.values(canaries).every((each) => each.length >= 32)).toBe(true);
  const places = { "the log": log.text() + printed, "the API": shown.join("\n"), "the feed": frames, "the dump": dump };
  const found = Object.entries(canaries).flatMap(([name, secret]) =>
    Object.entries(places).flatMap(([place, text]) =>
      guisesOf(secret).some((guise) => text.includes(guise)) ? [`${name} in ${place}`] : [],
    ),
  );
  expect(found).toEqual([]);
  // The search itself must be able to find: the account's id stands in every place but perhaps the log.
  for (const place of ["the API", "the dump"] as const) expect(places[place]).toContain(workspaceId.slice(4, 12));
  const sizes = Object.entries(places).map(([place, text]) => `${place} ${Math.round(text.length / 1024)} KB`);
  figure(
    `${Object.keys(canaries).length} canary secrets through ${paths} error paths: ${found.length} found in ${sizes.join(", ")} (${(await listReading()).length} reading routes)`,
  );
}

/** Returns what the feed sends: the workspace's whole log from its beginning. */
async function readFrames({ workspaceId }: TestAccount): Promise<string> {
  const abort = new AbortController();
  const feed = watchFeed(workspaceId, "0-0", abort.signal, async () => true);
  const frames: string[] = [];
  setTimeout(() => abort.abort(), 30_000).unref();
  for await (const frame of feed) {
    frames.push(JSON.stringify(frame));
    if (frames.at(-1)?.includes("integration.error")) abort.abort();
  }
  return frames.join("\n");
}
