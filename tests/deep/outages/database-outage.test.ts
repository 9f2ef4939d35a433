import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { resetEnv } from "#lib/config/env";
import { forget } from "#lib/context/once";
import { closeListening } from "#lib/db/notifications";
import { closePools, pool } from "#lib/db/pool";
import { processReceiver } from "#lib/flows/ingest/receiver";
import { readMetrics } from "#lib/flows/installation/read-metrics";
import type { Readiness } from "#lib/flows/installation/read-readiness";
import { processEvents } from "#lib/flows/processing/process-events";
import { markAlive } from "#lib/processing/heartbeat-store";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { type Fault, FaultyProxy } from "#tests/support/faulty-proxy";
import { figure } from "#tests/support/figure";
import { ImpatientSender, untilTaken } from "#tests/support/impatient-sender";
import { fillLimitedDisk, limitedDisk, mayMount } from "#tests/support/limited-disk";
import { drainInbox } from "#tests/support/log-writer";
import { atSize, expectPace } from "#tests/support/pace";
import { nodeReceiver } from "#tests/support/receivers";
import { EVERY_TRY } from "#tests/support/waiting";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";
import { GET as ready } from "../../../app/health/ready/route.ts";

vi.mock("next/server", () => ({ connection: async () => undefined }));

const database = useDatabase();
const receiver = nodeReceiver();
let direct: pg.Pool;
/** Time for which the pool is exhausted, in seconds: row 15 wants 60; by default a part of it. */
const EXHAUSTED_S = Number(process.env.ROW_15_SECONDS ?? atSize(8, 4));

beforeAll(async () => {
  direct = new pg.Pool({ connectionString: database.url(), max: 3 });
  direct.on("error", () => undefined);
  await receiver.open();
  receiver.renew(processReceiver());
});
let proxy: FaultyProxy | undefined;
afterEach(async () => {
  await proxy?.close(); // first: a pool waits for ever for a silent connection to say goodbye
  proxy = undefined;
  await goThrough(database.url());
});
afterAll(async () => {
  await direct.end();
  await receiver.close();
});

/** Lets the product reach its database by another way; what it had open is closed. */
async function goThrough(url: string): Promise<void> {
  await closeListening();
  await closePools();
  resetEnv({ ...TEST_ENV, DATABASE_URL: url });
  forget("receiver"); // readiness asks the process's
  receiver.renew(processReceiver());
}

async function readiness(): Promise<Readiness & { httpStatus: number; ms: number }> {
  const since = performance.now();
  const answer = await ready();
  return { ...((await answer.json()) as Readiness), httpStatus: answer.status, ms: performance.now() - since };
}

const untilReady = () =>
  vi.waitFor(async () => expect(await readiness()).toMatchObject({ httpStatus: 200, status: "ready", receiver: { ok: true } }), 30_000);

/** Nothing acknowledged is missing, nothing is there twice, and the worker applies each once. */
async function expectWhole(sender: ImpatientSender): Promise<void> {
  await drainInbox();
  const { rows } = await direct.query<{ event_id: string; copies: string; applied: string }>(
    `SELECT e.event_id, count(DISTINCT e.seq) AS copies, count(a.outcome) FILTER (WHERE a.outcome = 'applied') AS applied
     FROM events e LEFT JOIN ${EVERY_TRY} a USING (received_at, seq) WHERE e.event_id = ANY($1) GROUP BY 1`,
    [sender.sent],
  );
  expect(rows.map(({ event_id }) => event_id).sort()).toEqual([...sender.sent].sort());
  expect(rows.filter(({ copies, applied }) => Number(copies) !== 1 || Number(applied) !== 1)).toEqual([]);
}

/** Expects what holds of every fault: answers within 5 s, 503 with Retry-After, recovery without a restart, nothing lost. */
async function expectGraceful(sender: ImpatientSender, name: string, healedAt?: number): Promise<void> {
  await expectWhole(sender);
  expect(sender.refusals.filter(({ status }) => status !== 503)).toEqual([]);
  expect(sender.refusals.filter(({ retryAfter }) => !Number(retryAfter))).toEqual([]);
  expectPace(sender.slowestMs, 5000);
  const recovery = healedAt === undefined ? "" : ` first 200 after ${sender.recoveryMs(healedAt)} ms of health,`;
  figure(
    `${name}: ${sender.sent.length} events, ${sender.refusals.length} answers 503, slowest answer ${sender.slowestMs.toFixed(0)} ms,${recovery} lost 0, doubled 0`,
  );
}

const untilCut = (times: number) => expect.poll(() => proxy?.cuts).toBe(times);

describe("a database that is ill", () => {
  const faults: { fault: Fault; name: string; delayMs?: number; ill: Partial<Record<"database" | "receiver", RegExp>> }[] = [
    { fault: "refused", name: "gone", ill: { database: /does not respond/, receiver: /does not respond/ } },
    { fault: "half_open", name: "half open", ill: { database: /does not respond/, receiver: /too slow|no database connection/ } },
    {
      fault: "slow",
      name: "slow (3 s an answer)",
      delayMs: 3000,
      ill: { database: /does not respond/, receiver: /too slow|no database connection/ },
    },
  ];
  it.each(faults)(
    "$name: 503 within 5 s, the ill part named, well again without a restart, nothing lost",
    async ({ fault, name, ill, ...options }) => {
      proxy = await FaultyProxy.start(database.url());
      const { source } = await makeWorkspace();
      await goThrough(proxy.url);
      const sender = new ImpatientSender(receiver, source);
      await sender.deliver();
      await markAlive();
      await untilReady();
      await proxy.misbehave(fault, options);
      const healed = Promise.withResolvers<void>();
      const sending = sender.send(healed.promise, 200);
      let slowest = 0;
      await vi.waitFor(async () => {
        const during = await readiness();
        slowest = Math.max(slowest, during.ms);
        expect(during).toMatchObject({ httpStatus: 503, status: "not_ready" });
        for (const part of ["database", "receiver"] as const) expect(during[part].detail).toMatch(ill[part] ?? /./);
        expect(sender.refusals.length).toBeGreaterThan(0);
      }, 30_000);
      expectPace(slowest, 5000);
      const asked = performance.now();
      expect((await readMetrics()).text).toMatch(/^signalbox_database_up 0$/m);
      expectPace(performance.now() - asked, 5000);
      await proxy.misbehave("none");
      const healedAt = Date.now();
      healed.resolve();
      await sending;
      expectPace(sender.recoveryMs(healedAt), 12_000);
      await vi.waitFor(markAlive, 30_000);
      await untilReady();
      await expectGraceful(sender, name, healedAt);
    },
    60_000,
  );

  it("ready again at once when the database is back, though no webhook comes to prove it", async () => {
    proxy = await FaultyProxy.start(database.url());
    const { source } = await makeWorkspace();
    await goThrough(proxy.url);
    const send = (id: string) => receiver.send(source, signed(envelope({ id, type: "document.uploaded", created: 1, data: {} })));
    await untilTaken(() => send("evt_before"));
    await markAlive();
    await proxy.misbehave("refused");
    expect((await send("evt_refused")).status).toBe(503);
    expect((await readiness()).receiver).toMatchObject({ ok: false, detail: expect.stringMatching(/does not respond/) });
    await proxy.misbehave("none");
    await untilReady();
  });

  it("cut before the commit: nothing was stored, the sender's next try is new", async () => {
    proxy = await FaultyProxy.start(database.url());
    const { source } = await makeWorkspace();
    await goThrough(proxy.url);
    const sender = new ImpatientSender(receiver, source);
    await proxy.misbehave("cut_before_commit", { times: 6 });
    await sender.send(untilCut(6), 100);
    expect(proxy.cuts).toBe(6);
    expect(sender.refusals.length).toBeGreaterThanOrEqual(6);
    expect(sender.answers.filter(({ duplicate }) => duplicate)).toEqual([]);
    await expectGraceful(sender, "cut before the commit, 6 times");
  }, 120_000);

  it("cut after the commit, before its answer: the sender hears 503, and its next try is a duplicate", async () => {
    proxy = await FaultyProxy.start(database.url());
    const { source } = await makeWorkspace();
    await goThrough(proxy.url);
    const sender = new ImpatientSender(receiver, source);
    await proxy.misbehave("cut_after_commit", { times: 6 });
    await sender.send(untilCut(6), 100);
    expect(proxy.cuts).toBe(6);
    const unsure = new Set(sender.refusals.map(({ eventId }) => eventId));
    // Not each answer 503 is of a cut: a look-up may take too long on a busy machine.
    const duplicates = sender.answers.filter(({ status, duplicate }) => status === 200 && duplicate);
    expect(duplicates.length).toBeGreaterThan(0);
    expect(duplicates.filter(({ eventId }) => !unsure.has(eventId))).toEqual([]);
    await expectGraceful(
      sender,
      `cut after the commit, 6 times (${unsure.size} ambiguous, ${duplicates.length} answered duplicate:true in the end)`,
    );
  }, 120_000);

  it("read-only: 503, readiness says so, and receiver and worker write again when it is over", async () => {
    const { source } = await makeWorkspace();
    const sender = new ImpatientSender(receiver, source);
    await sender.deliver();
    const name = new URL(database.url()).pathname.slice(1);
    const readOnly = async (on: boolean) => {
      const admin = new pg.Client({ connectionString: database.url() });
      await admin.connect();
      await admin.query(`SET transaction_read_only = off; ALTER DATABASE ${name} SET default_transaction_read_only = ${on ? "on" : "off"}`);
      // Going read-only ends the sessions, as a failover does. The way back does not: it must be found without.
      if (on)
        await admin.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        );
      await admin.end();
    };
    onTestFinished(() => readOnly(false));
    await readOnly(true);
    const healed = Promise.withResolvers<void>();
    const sending = sender.send(healed.promise, 200);
    await expect.poll(() => sender.refusals.length).toBeGreaterThan(2);
    await expect(processEvents()).rejects.toThrow(/read-only/);
    const during = await readiness();
    expect(during).toMatchObject({ httpStatus: 503, database: { ok: false }, receiver: { ok: false } });
    expect([during.database.detail, during.receiver.detail].join()).toMatch(/is read-only: .* the database is read-only/);
    await readOnly(false);
    const healedAt = Date.now();
    healed.resolve();
    await sending;
    await markAlive();
    await untilReady();
    await expectGraceful(sender, "read-only", healedAt);
  }, 120_000);

  it.skipIf(!mayMount())(
    "disk full: 503, readiness says so, and it goes on when there is room again",
    async () => {
      const { source } = await makeWorkspace();
      const sender = new ImpatientSender(receiver, source);
      await sender.deliver();
      const disk = await limitedDisk(direct);
      await fillLimitedDisk(direct);
      const healed = Promise.withResolvers<void>();
      const sending = sender.send(healed.promise, 200, 6000);
      await expect.poll(() => sender.refusals.length).toBeGreaterThan(0);
      expect(await readiness()).toMatchObject({
        httpStatus: 503,
        receiver: { ok: false, detail: "can't store: the database's disk is full" },
      });
      await direct.query("DROP TABLE filler");
      const healedAt = Date.now();
      healed.resolve();
      await sending;
      await markAlive();
      await untilReady();
      await expectGraceful(sender, `disk full (a tablespace of ${disk.megabytes} MB)`, healedAt);
    },
    60_000,
  );

  it("no connection to be had: 503 within 5 s for as long as it lasts, then all is well", async () => {
    const { source } = await makeWorkspace();
    const sender = new ImpatientSender(receiver, source);
    await sender.deliver();
    await markAlive();
    const hold = async (name: "receiver" | "web", count: number) => Promise.all(Array.from({ length: count }, () => pool(name).connect()));
    const held = [...(await hold("receiver", 3)), ...(await hold("web", 10))];
    const release = () => {
      for (const client of held.splice(0)) client.release();
    };
    onTestFinished(release);
    const sending = sender.send(EXHAUSTED_S * 1000, 500);
    await new Promise((resolve) => setTimeout(resolve, Math.min(EXHAUSTED_S, 6) * 1000));
    const during = await readiness();
    expect(during).toMatchObject({ httpStatus: 503, receiver: { detail: "can't store: no database connection is available" } });
    expect(during.database.detail).toMatch(/no free connection/);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, EXHAUSTED_S - 6) * 1000));
    release();
    const healedAt = Date.now();
    await sending;
    await markAlive();
    await untilReady();
    await expectGraceful(sender, `every connection taken for ${EXHAUSTED_S} s`, healedAt);
  }, 150_000);
});
