import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { notifySoon } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { redeliverEvent } from "#lib/flows/processing/redeliver-events";
import { openApiServer } from "#tests/support/api-server";
import { startCommand } from "#tests/support/command-line";
import { openCuttingProxy } from "#tests/support/cutting-proxy";
import { useDatabase } from "#tests/support/database";
import { type LocalApp, openLocalApp } from "#tests/support/local-app";
import { makeOpenFolder } from "#tests/support/open-folder";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { envelope, makeWorkspace, sign, signed } from "#tests/support/webhooks";

useDatabase();

let workspaceId: WorkspaceId;
let source: string;
let server: { url: string; close: () => Promise<void> };
let key: string;
let named = 0;
let receiver: ReturnType<typeof createReceiver>;

beforeAll(async () => {
  ({ workspaceId, source } = await makeWorkspace());
  ({ key } = await insertApiKey(workspaceId, { name: "laptop", role: "developer", createdBy: null }));
  server = await openApiServer();
  receiver = createReceiver();
});
afterAll(() => server.close());

/** Receives so many webhooks as the receiver does. @returns their IDs */
async function receive(count: number, type = "document.processed"): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `evt_${++named}`);
  await Promise.all(
    ids.map(async (id) => {
      const { body, headers } = signed(envelope({ id, type }));
      expect((await receiveUntilKept(receiver, { source, headers, body })).status).toBe(200);
    }),
  );
  notifySoon(pool(), "appended", workspaceId);
  return ids;
}

async function localApp(options?: Parameters<typeof openLocalApp>[0]): Promise<LocalApp> {
  const app = await openLocalApp(options);
  onTestFinished(() => app.close());
  return app;
}

const folder = () => makeOpenFolder("signalbox-cli-");
const listen = (at: string, app: { url: string }, args: string[] = [], url = server.url) =>
  startCommand({ folder: at, url, key }, ["listen", app.url, ...args]);

/** Every one of these came; more than one time is counted. */
function repeatsOf(app: LocalApp, ids: string[]): number {
  const counts = app.counts();
  expect(ids.filter((id) => !counts.has(id))).toEqual([]);
  return ids.reduce((sum, id) => sum + (counts.get(id) ?? 0) - 1, 0);
}

it("hands events on to the byte with their headers, and Signalbox shows what the app answered", async () => {
  const app = await localApp({ answer: () => ({ status: 500, body: "no stage\u0000 given" }) });
  const listening = listen(folder(), app, ["--name", "my laptop"]);
  await listening.printed(/Forwarding events to/);
  const listed = await read<{ data: object[] }>("/api/v1/listeners");
  expect(listed.data).toMatchObject([{ name: "my laptop", url: app.url, openedBy: "key laptop" }]);
  const [id = ""] = await receive(1);
  await app.has(1);
  const [got] = app.got;
  expect(got).toMatchObject({ id, path: "/hooks", headers: { "x-webhook-signature": sign(got?.body ?? ""), "x-signalbox-event-id": id } });
  await listening.printed(/document\.processed\s+evt_1\s+500/);
  listening.child.kill("SIGINT");
  expect((await listening.ended).code).toBe(0);
  const { localDeliveries } = await read<{ localDeliveries: object[] }>(`/api/v1/events/${id}`);
  expect(localDeliveries).toMatchObject([
    { command: "listen", listener: "my laptop", status: 500, body: "no stage\ufffd given", recordedBy: "key laptop" },
  ]);
  await expect.poll(() => read("/api/v1/listeners")).toMatchObject({ data: [] });
});

async function read<T>(at: string): Promise<T> {
  const answer = await fetch(server.url + at, { headers: { authorization: `Bearer ${key}` } });
  return (await answer.json()) as T;
}

it("sends what came while it was away, or skips it when told to", { tags: ["deep"] }, async () => {
  const app = await localApp();
  const at = folder();
  const first = listen(at, app);
  await first.printed(/Forwarding events/);
  first.child.kill("SIGTERM");
  expect((await first.ended).code).toBe(0);
  const missed = await receive(60);
  const second = listen(at, app);
  await second.printed(/Sending 60 events received since this command stopped/);
  await app.has(60);
  expect(repeatsOf(app, missed)).toBe(0);
  second.child.kill("SIGINT");
  await second.ended;
  await receive(7);
  const third = listen(at, app, ["--catch-up", "skip", "--output", "ndjson"]);
  await third.printed(/Skipped 7 events\.[\s\S]*Forwarding events/);
  const [next = ""] = await receive(1);
  await third.printed(new RegExp(`"id":"${next}"`));
  expect(app.counts().size).toBe(61);
  expect(third.stdout().trim().split("\n")).toHaveLength(1);
});

it("misses nothing when it is killed again and again", { tags: ["deep"] }, async () => {
  const app = await localApp();
  const at = folder();
  const before = listen(at, app, ["--concurrency", "3"]);
  await before.printed(/Forwarding events/);
  const ids: string[] = [];
  let current = before;
  for (let round = 0; round < 4; round++) {
    const receiving = receive(60);
    await app.has(ids.length + 10 + round * 7);
    current.child.kill("SIGKILL");
    ids.push(...(await receiving));
    await current.ended;
    current = listen(at, app, ["--concurrency", "3"]);
  }
  await app.has(ids.length);
  const repeats = repeatsOf(app, ids);
  expect(repeats).toBeLessThan(ids.length);
  process.stdout.write(`killed 4 times in ${ids.length} events: none missing, ${repeats} came twice\n`);
});

it("misses nothing when the line is cut and the server restarts, and says so once each time", { tags: ["deep"] }, async () => {
  const app = await localApp();
  const proxy = await openCuttingProxy(server.url);
  onTestFinished(() => proxy.close());
  const listening = listen(folder(), app, ["--catch-up", "send"], proxy.url);
  await listening.printed(/Forwarding events/);
  const ids: string[] = [];
  for (let cut = 0; cut < 5; cut++) {
    ids.push(...(await receive(20)));
    proxy.cut();
  }
  const { port } = new URL(server.url);
  await server.close();
  ids.push(...(await receive(10)));
  server = await openApiServer(Number(port));
  await app.has(ids.length);
  repeatsOf(app, ids);
  await listening.printed(/Reconnected after/);
  expect(listening.stderr()).toMatch(/was lost: the connection was closed\. Reconnecting\./);
});

it("gives up with code 3 after --max-offline", { tags: ["deep"] }, async () => {
  const app = await localApp();
  const proxy = await openCuttingProxy(server.url);
  onTestFinished(() => proxy.close());
  const listening = listen(folder(), app, ["--max-offline", "1s"], proxy.url);
  await listening.printed(/Forwarding events/);
  proxy.refuse(true);
  proxy.cut();
  expect(await listening.ended).toMatchObject({ code: 3, stderr: expect.stringMatching(/for 1\.0 s: giving up/) });
});

it("serves many listeners, each with its own cursor, filters for them, and sends them re-deliveries", { tags: ["deep"] }, async () => {
  const all = await localApp();
  const errors = await localApp();
  const at = folder();
  const everything = listen(at, all);
  const some = listen(at, errors, ["--type", "document.err*", "--type", "dokument.*"]);
  await Promise.all([everything.printed(/Forwarding events/), some.printed(/Forwarding events/)]);
  expect(some.stderr()).toContain("No event has the type `dokument.*`. Did you mean `document.*`?");
  const ids = await receive(3);
  const [failed = ""] = await receive(1, "document.error");
  await Promise.all([all.has(4), errors.has(1)]);
  await redeliverEvent(workspaceId, failed, "a test");
  await Promise.all([everything, some].map((each) => each.printed(/\(re-delivery\)/)));
  expect(all.counts()).toEqual(new Map([...ids.map((id) => [id, 1] as const), [failed, 2]]));
  expect(errors.counts()).toEqual(new Map([[failed, 2]]));
  expect(errors.got[1]?.headers["x-signalbox-redelivery"]).toMatch(/^rdl_/);
  const none = listen(at, errors, ["--filter", '{"data":{"status":{"$is":1}}}', "--name", "filtered"]);
  expect(await none.ended).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^signalbox: --filter data\.status\.\$is \$is is not an operator/),
  });
  const filtered = await localApp();
  const matching = listen(at, filtered, ["--filter", '{"data":{"status":{"$neq":"completed"}}}', "--output", "quiet"]);
  await expect.poll(async () => JSON.stringify(await read("/api/v1/listeners")).includes(filtered.url), { timeout: 60_000 }).toBe(true);
  await receive(2);
  const last = `evt_${++named}`;
  const { body, headers } = signed(envelope({ id: last, data: { status: "failed" } }));
  await receiveUntilKept(receiver, { source, headers, body });
  await filtered.has(1);
  expect(filtered.got.map(({ id }) => id)).toEqual([last]);
  expect(matching.stderr()).toBe("");
  const twice = listen(at, all);
  const taken = /is already forwarding events to \S+\.\nGive this one a name of its own: --name/;
  expect(await twice.ended).toMatchObject({ code: 2, stderr: expect.stringMatching(taken) });
});

it("keeps events for an app that is down, and signs with a secret of this machine when asked", { tags: ["deep"] }, async () => {
  const app = await openLocalApp();
  await app.close();
  const at = folder();
  const listening = listen(at, app, ["--signed"]);
  await listening.printed(/Forwarding events/);
  const ids = await receive(3);
  await listening.printed(/can't be reached: nothing is listening there \(connection refused\)\. Events wait until it responds\./);
  const again = await localApp({ port: app.port });
  await again.has(3);
  expect(repeatsOf(again, ids)).toBe(0);
  const secret = readFileSync(path.join(at, "signing-secret"), "utf8").trim();
  const [got] = again.got;
  expect(got?.headers["x-webhook-signature"]).toBe(sign(got?.body ?? "", secret));
  expect(listening.stdout() + listening.stderr()).not.toContain(secret);
});

it("goes on when the disk takes no cursor, and says so once", { tags: ["deep"] }, async () => {
  const app = await localApp();
  const at = folder();
  mkdirSync(path.join(at, "listen"));
  const listening = listen(at, app);
  await listening.printed(/Forwarding events/);
  const [file = ""] = readdirSync(path.join(at, "listen")).filter((name) => name.endsWith(".json"));
  // A folder in its place: no process, not even root's, can write the cursor now. Tried again while one is being written.
  await vi.waitFor(() => mkdirSync(path.join(at, "listen", `${file}.new`)), 30_000);
  await receive(2);
  await app.has(2);
  await listening.printed(/The cursor can't be written: .*Events are still forwarded; after a restart, some will be sent again\./);
  await receive(2);
  await app.has(4);
  expect(listening.stderr().match(/can't be written/g)).toHaveLength(1);
});

it("refuses a cursor that is none, and begins so far back as --since says", { tags: ["deep"] }, async () => {
  const app = await localApp();
  const ids = await receive(5);
  const listening = listen(folder(), app, ["--since", "1m"]);
  await listening.printed(/received in the last 1m/);
  await expect.poll(() => ids.every((id) => app.counts().has(id)), { timeout: 60_000 }).toBe(true);
  const answer = await fetch(`${server.url}/api/v1/listeners/feed?from=nonsense`, { headers: { authorization: `Bearer ${key}` } });
  expect([answer.status, await answer.json()]).toMatchObject([400, { code: "invalid_request" }]);
});

it("replays stored events to two targets and finds the one answer that differs", { tags: ["deep"] }, async () => {
  const ids = await receive(50, "task.created");
  const answering = (seeded: string | null) => (got: { id: string }) => ({
    body: JSON.stringify({ id: got.id, at: Math.random(), total: got.id === seeded ? 41 : 40 }),
  });
  const good = await localApp({ answer: answering(null) });
  const bad = await localApp({ answer: answering(ids[17] ?? null) });
  const at = folder();
  const junit = path.join(at, "replay.xml");
  const replay = (args: string, ...more: string[]) =>
    startCommand({ folder: at, url: server.url, key }, ["replay", ...args.split(" "), ...more]).ended;
  const compared = `--type task.created --to ${good.url} --also ${bad.url} --ignore $.at --rate 1000`;
  const { code, stdout, stderr } = await replay(compared, "--junit", junit);
  expect([code, stderr.includes("1 differ")], stderr).toEqual([1, true]);
  expect(stdout).toMatch(new RegExp(`^✗ task.created\\s+${ids[17]}  200 .*\\n    \\$\\.total: 40 \\| 41\\n$`));
  expect(stderr).toMatch(/50 events in .*: 1 differ\./);
  expect(good.got.map(({ id }) => id).sort()).toEqual([...ids].sort());
  const xml = readFileSync(junit, "utf8");
  expect(xml.match(/<testcase /g)).toHaveLength(50);
  expect(xml).toContain(`name="${ids[17]}"`);
  expect(xml.match(/<failure type="difference" message="\$\.total: 40 \| 41">/g)).toHaveLength(1);
  const same = await replay(`${ids[0]} --to ${good.url} --output ndjson`);
  expect(same.code).toBe(0);
  expect(JSON.parse(same.stdout)).toMatchObject({ id: ids[0], answers: [{ status: 200 }] });
  expect(await replay(`--type task.created --limit 3 --to ${good.url}`)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Sending 3 events to/),
  });
  const twice = `${ids[17]} --to ${good.url} --to ${bad.url} --ignore $.at`;
  expect(await replay(twice)).toMatchObject({ code: 1, stdout: expect.stringMatching(/40 \| 41/) });
  expect(await replay(twice, "--also", good.url)).toMatchObject({ code: 2 });
});
