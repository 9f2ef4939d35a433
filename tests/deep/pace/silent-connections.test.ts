import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startSchedule } from "#lib/background/schedule";
import { resetEnv } from "#lib/config/env";
import { closeListening, listen } from "#lib/db/notifications";
import { onOwnConnection } from "#lib/db/own-connection";
import { closePools, pool } from "#lib/db/pool";
import type { PoolName } from "#lib/db/pool-sizes";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { FaultyProxy } from "#tests/support/faulty-proxy";
import { ImpatientSender } from "#tests/support/impatient-sender";
import { expectPace } from "#tests/support/pace";
import { startReceiver } from "#tests/support/receiver-process";
import type { TestReceiver } from "#tests/support/receivers";
import { EVERY_TRY } from "#tests/support/waiting";
import { makeWorkspace } from "#tests/support/webhooks";
import { startWorker } from "#tests/support/worker-process";

// Connections that are open go silent: no FIN, no RST, as when a firewall forgets
// them or an address fails over. The server is well, and new connections are.

/** Promised time within which it recovers, by itself. */
const RECOVERY_MS = 60_000;

const database = useDatabase();
let direct: pg.Pool;
beforeAll(() => {
  direct = new pg.Pool({ connectionString: database.url(), max: 3 });
  direct.on("error", () => undefined);
});
afterAll(() => direct.end());

let proxy: FaultyProxy | undefined;
afterEach(async () => {
  await useConnections(database.url());
  await proxy?.close();
  proxy = undefined;
});

async function useConnections(url: string): Promise<void> {
  await closeListening();
  await closePools();
  resetEnv({ ...TEST_ENV, DATABASE_URL: url });
}

const receiverAt = (url: string): Pick<TestReceiver, "send"> => ({
  send: (source, { body, headers = {} }) =>
    fetch(`${url}/webhooks/${source}`, { method: "POST", headers, body: Buffer.from(body ?? "") as BodyInit }),
});

/** Ids that were stored and not applied yet. */
async function listUnapplied(ids: string[]): Promise<string[]> {
  const { rows } = await direct.query<{ event_id: string }>(
    `SELECT w.event_id FROM unnest($1::text[]) w (event_id) WHERE NOT EXISTS (
       SELECT 1 FROM events e JOIN ${EVERY_TRY} a USING (received_at, seq) WHERE e.event_id = w.event_id AND a.outcome = 'applied')`,
    [ids],
  );
  return rows.map(({ event_id }) => event_id);
}

test("receiver and worker are well again within 60 s, LISTEN and the job queue with them, and nothing is lost", async () => {
  proxy = await FaultyProxy.start(database.url());
  const { source } = await makeWorkspace();
  const [receiver] = await Promise.all([startReceiver(proxy.url), startWorker(proxy.url)]);
  const sender = new ImpatientSender(receiverAt(receiver), source);

  // This process listens and has a job on the clock, over the same proxy.
  await useConnections(proxy.url);
  const heard = vi.fn();
  onTestFinished(listen("appended", heard));
  const run = vi.fn(async () => "done");
  const stop = await startSchedule([{ name: "test-job", cron: "0 0 1 1 *", run }]);
  onTestFinished(stop);
  const clock = await new PgBoss({ connectionString: database.url(), supervise: false, schedule: false }).start();
  onTestFinished(() => clock.stop({ graceful: false }));

  const sending = sender.send(20_000, 100);
  await vi.waitFor(() => expect(sender.answers.length).toBeGreaterThan(20), 30_000);
  await vi.waitFor(async () => expect((await listUnapplied(sender.sent.slice(0, 10))).length).toBe(0), 30_000);
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 30_000);
  const silenced = proxy.silenceOpen();
  const silencedAt = Date.now();
  const after = () => Date.now() - silencedAt;
  const untilWell = { timeout: 3 * RECOVERY_MS, interval: 200 };

  const listening = vi
    .waitFor(async () => {
      heard.mockClear();
      await direct.query("SELECT pg_notify('signalbox_appended', 'wsp_a_test')");
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(heard).toHaveBeenCalledWith("wsp_a_test");
    }, untilWell)
    .then(after);
  const jobs = clock
    .send("test-job")
    .then(() => vi.waitFor(() => expect(run).toHaveBeenCalled(), untilWell))
    .then(after);
  const acknowledged = sending.then(() => Math.max(...sender.refusals.map(({ at }) => at - silencedAt), 0));
  const applied = sending.then(() => vi.waitFor(async () => expect(await listUnapplied(sender.sent)).toEqual([]), untilWell)).then(after);

  const [listenMs, jobMs, receiverMs, workerMs] = await Promise.all([listening, jobs, acknowledged, applied]);
  process.stdout.write(
    `[silent connections] ${silenced} silenced, ${sender.sent.length} events: last answer that was not 200 after ${receiverMs} ms, all applied after ${workerMs} ms, notified after ${listenMs} ms, a job of the queue done after ${jobMs} ms; lost 0\n`,
  );
  for (const ms of [listenMs, jobMs, receiverMs, workerMs]) expectPace(ms, RECOVERY_MS);
  expectPace(sender.slowestMs, 5000);
}, 300_000);

test("a statement without a limit of its own fails within 40 s when its connection goes silent, and a long one is left alone", async () => {
  proxy = await FaultyProxy.start(database.url());
  await useConnections(proxy.url);
  const silenced = Promise.withResolvers<void>();
  const lost = onOwnConnection(pool("worker"), async (client) => {
    proxy?.silenceOpen();
    silenced.resolve();
    await client.query("SELECT 1");
  });
  await Promise.all([
    expect(lost).rejects.toThrow(/Connection terminated/),
    silenced.promise.then(() => onOwnConnection(pool("web"), (client) => client.query("SELECT pg_sleep(32)"))),
  ]);
}, 120_000);

test("connections that went silent don't hold up the end of a process", async () => {
  proxy = await FaultyProxy.start(database.url());
  await useConnections(proxy.url);
  await Promise.all([pool("web").query("SELECT 1"), pool("worker").query("SELECT 1")]);
  const inHand = pool("worker")
    .query("SELECT pg_sleep(20)")
    .catch((error: Error) => error.message);
  const heard = vi.fn();
  listen("appended", heard);
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 30_000);
  proxy.silenceOpen();
  const since = performance.now();
  await closeListening();
  await closePools();
  expectPace(performance.now() - since, 3000);
  expect(await inHand).toMatch(/Connection terminated/);
}, 120_000);

const POOLS: PoolName[] = ["web", "receiver", "receiver-large", "worker", "claims", "queue", "forwarding"];
/** `tr` of a socket whose next packet is a keepalive, and the unit of `when` (proc(5), /proc/net/tcp). */
const KEEPALIVE = "02";
const TICK_MS = 10;

/** Returns how long the kernel waits with a keepalive on each connection of this process to a port, in milliseconds; infinite where it sends none. */
function keepaliveWaits(port: number): number[] {
  const own = new Set(
    readdirSync("/proc/self/fd").map((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1];
      } catch {
        return undefined; // closed meanwhile
      }
    }),
  );
  const lines = readFileSync("/proc/net/tcp", "utf8").split("\n");
  return lines.flatMap((line) => {
    const [, , remote = "", , , timer = "", , , , inode = ""] = line.trim().split(/\s+/);
    if (!own.has(inode) || Number.parseInt(remote.split(":")[1] ?? "", 16) !== port) return [];
    const [kind, when = ""] = timer.split(":");
    return [kind === KEEPALIVE ? Number.parseInt(when, 16) * TICK_MS : Number.POSITIVE_INFINITY];
  });
}

test.runIf(process.platform === "linux")(
  "each connection to the database asks whether the other end is there, after 10 s of silence",
  async () => {
    proxy = await FaultyProxy.start(database.url());
    await useConnections(proxy.url);
    const heard = vi.fn();
    onTestFinished(listen("appended", heard));
    await Promise.all(POOLS.map((name) => pool(name).query("SELECT 1")));
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 30_000);
    const port = Number(new URL(proxy.url).port);
    // The last data sent must be acknowledged before the timer is the keepalive's.
    await vi.waitFor(() => {
      const waits = keepaliveWaits(port);
      expect(waits.length).toBeGreaterThanOrEqual(POOLS.length + 1);
      for (const ms of waits) expect(ms).toBeLessThanOrEqual(10_000);
    }, 30_000);
  },
);

test("a process that only listens hears again within 25 s", async () => {
  proxy = await FaultyProxy.start(database.url());
  await useConnections(proxy.url); // no pool is open, whose next statement would tell that connections are silent
  const heard = vi.fn();
  onTestFinished(listen("appended", heard));
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 30_000);
  expect(proxy.silenceOpen()).toBe(1);
  const since = performance.now();
  await vi.waitFor(
    async () => {
      heard.mockClear();
      await direct.query("SELECT pg_notify('signalbox_appended', 'wsp_a_test')");
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(heard).toHaveBeenCalledWith("wsp_a_test");
    },
    { timeout: 90_000, interval: 200 },
  );
  expectPace(performance.now() - since, 30_000);
}, 120_000);
