import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { onApplying } from "#tests/support/applying";
import { useDatabase } from "#tests/support/database";
import { sendUntilKept } from "#tests/support/impatient-sender";
import { expectPace } from "#tests/support/pace";
import { nodeReceiver } from "#tests/support/receivers";
import { countWaiting, EVERY_TRY, passOverWaiting } from "#tests/support/waiting";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";
import { startWorker } from "#tests/support/worker-process";

const database = useDatabase();
const receiver = nodeReceiver();
beforeAll(async () => {
  await receiver.open();
  // While the table has a row, a worker dawdles in the middle of its transaction, its views locked.
  await pool().query("CREATE TABLE dawdle (since timestamptz)");
  await pool().query(`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    WHILE EXISTS (SELECT 1 FROM dawdle) LOOP PERFORM pg_sleep(0.05); END LOOP; RETURN NEW; END $$`);
  await onApplying("dawdle");
  await pool().query(`CREATE FUNCTION curse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.id = 'doc_cursed' THEN RAISE EXCEPTION 'cursed' USING ERRCODE = '22000'; END IF; RETURN NEW; END $$`);
  await pool().query("CREATE TRIGGER curse BEFORE INSERT OR UPDATE ON views FOR EACH ROW EXECUTE FUNCTION curse()");
});
afterAll(() => receiver.close());
beforeEach(() => passOverWaiting());

async function send(source: string, ids: string[], documentId: (n: number) => string): Promise<void> {
  const bodies = ids.map((id, n) => envelope({ id, type: "document.uploaded", created: n, data: { documentId: documentId(n) } }));
  const answers = await Promise.all(bodies.map((body) => sendUntilKept(receiver, source, signed(body))));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
}

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

const dawdle = () => pool().query("INSERT INTO dawdle VALUES (now())");
const goOn = () => pool().query("DELETE FROM dawdle");

const untilDawdling = () =>
  vi.waitFor(async () => {
    const { rowCount } = await pool().query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()");
    expect(rowCount).toBe(1);
  }, 10_000);

/** Waits until nothing waits. @returns milliseconds that it took */
async function untilEmpty(): Promise<number> {
  const since = performance.now();
  await expect.poll(() => countWaiting(), { timeout: 60_000 }).toBe(0);
  return performance.now() - since;
}

/** Returns how often the workspace's events were applied: [events, applications]. */
async function applications(workspaceId: WorkspaceId): Promise<[number, number]> {
  const { rows } = await pool().query<{ events: number; applied: number }>(
    `SELECT count(DISTINCT seq) AS events, count(*) AS applied FROM ${EVERY_TRY} t WHERE workspace_id = $1 AND outcome = 'applied'`,
    [workspaceId],
  );
  return [rows[0]?.events ?? 0, rows[0]?.applied ?? 0];
}

describe("worker processes", () => {
  it("share an inbox, and when one is killed the others apply what it had claimed, each event once", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const [first] = await Promise.all([1, 2, 3].map(() => startWorker(database.url())));
    for (let burst = 0; burst < 4; burst += 1) {
      await send(source, ids(`evt_k${burst}_`, 200), (n) => `doc_${n % 30}`);
      if (burst === 1) first?.signal("SIGKILL");
    }
    await untilEmpty();
    expect(await applications(workspaceId)).toEqual([800, 800]);
  }, 120_000);

  it("don't wait for one that is stopped with its claim in hand, and it does nothing twice when it goes on", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const stopped = await startWorker(database.url());
    await dawdle();
    await send(source, ids("evt_s", 20), () => "doc_same");
    await untilDawdling();
    stopped.signal("SIGSTOP");
    await goOn();
    await startWorker(database.url());
    // The same views, which the stopped one holds locked.
    await send(source, ids("evt_t", 20), () => "doc_same");
    const waited = await untilEmpty();
    expect(await applications(workspaceId)).toEqual([40, 40]);
    stopped.signal("SIGCONT");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await applications(workspaceId)).toEqual([40, 40]);
    expectPace(waited, 16_000);
    stopped.signal("SIGTERM");
    expect(await stopped.ended).toBe(0);
  }, 120_000);

  it("finish the batch in hand when they are told to stop, and leave the rest", async () => {
    const { workspaceId, source } = await makeWorkspace();
    await dawdle();
    const worker = await startWorker(database.url());
    await send(source, ids("evt_d", 10), (n) => `doc_${n}`);
    await untilDawdling();
    await send(source, ids("evt_rest", 5), (n) => `doc_${n}`);
    const since = performance.now();
    worker.signal("SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, 1000)); // it is told, and has the batch in hand
    await goOn();
    expect(await worker.ended).toBe(0);
    expectPace(performance.now() - since, 7000);
    const [events, applied] = await applications(workspaceId);
    expect(events).toBeGreaterThan(0);
    expect(applied).toBe(events);
    expect(events + (await countWaiting())).toBe(15);
    const { rowCount } = await pool().query("SELECT 1 FROM worker_heartbeats WHERE seen_at > now() - interval '1 second'");
    expect(rowCount).toBe(0);
  }, 120_000);

  it("try a failing event again after 1 s, then 4 s, each with some jitter, and hold nobody else up", async () => {
    const { workspaceId, source } = await makeWorkspace();
    await startWorker(database.url());
    await send(source, ["evt_cursed"], () => "doc_cursed");
    await send(source, ["evt_fine"], () => "doc_fine");
    const attempts = async () => {
      const { rows } = await pool().query<{ at: Date }>(
        "SELECT at FROM attempts WHERE workspace_id = $1 AND outcome = 'retrying' ORDER BY id",
        [workspaceId],
      );
      return rows.map(({ at }) => at.getTime());
    };
    await vi.waitFor(async () => expect(await attempts()).toHaveLength(3), { timeout: 30_000, interval: 200 });
    const [a = 0, b = 0, c = 0] = await attempts();
    expect(b - a).toBeGreaterThanOrEqual(990);
    expectPace(b - a, 1250 + 1500); // jitter, and the next look at the inbox
    expect(c - b).toBeGreaterThanOrEqual(3990);
    expectPace(c - b, 5000 + 1500);
    expect(await applications(workspaceId)).toEqual([1, 1]);
  }, 120_000);
});
