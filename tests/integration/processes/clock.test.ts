import { afterEach, expect, test, vi } from "vitest";
import { measureClockDifference } from "#lib/db/database-server";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { readOverview } from "#lib/flows/overview/read-overview";
import { processEvents } from "#lib/flows/processing/process-events";
import { markAlive } from "#lib/processing/heartbeat-store";
import { systemClock } from "#lib/time/clock";
import { useDatabase } from "#tests/support/database";
import { until } from "#tests/support/forwarding/senders";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

const database = useDatabase();
const receiver = useNodeReceiver();
const HOURS_2 = 7_200_000;

/** This process's clock goes wrong; the database's stays right. */
function beAhead(ms: number): Date {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  return new Date();
}
afterEach(() => void vi.useRealTimers());

test.each([HOURS_2, -HOURS_2])("a worker that works is ready for a process whose clock is %i ms off", { tags: ["deep"] }, async (ms) => {
  const { workspaceId } = await makeWorkspace();
  await markAlive();
  const now = beAhead(ms);
  const readiness = await until(
    () => readReadiness(createReceiver().health),
    ({ database: asked }) => asked.ok,
  );
  expect(readiness).toMatchObject({ status: "ready", worker: { ok: true, detail: "works" } });
  expect((await readOverview(workspaceId, now)).verdict.sentence).not.toMatch(/worker has stopped/);
});

test("a worker that went silent is not ready, though the clock of the process that asks is two hours behind", async () => {
  await pool().query("UPDATE worker_heartbeats SET seen_at = now() - interval '30 seconds'");
  beAhead(-HOURS_2);
  expect(await readReadiness(createReceiver().health)).toMatchObject({ status: "not_ready", worker: { ok: false } });
});

test("a failing event is tried again in a second, though the worker's clock is two hours ahead", async () => {
  await pool().query(`CREATE FUNCTION curse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.id = 'doc_cursed' THEN RAISE EXCEPTION 'cursed' USING ERRCODE = '22000'; END IF; RETURN NEW; END $$`);
  await pool().query("CREATE TRIGGER curse BEFORE INSERT OR UPDATE ON views FOR EACH ROW EXECUTE FUNCTION curse()");
  const { source } = await makeWorkspace();
  const body = envelope({ type: "document.uploaded", data: { documentId: "doc_cursed" } });
  expect((await receiver.send(source, signed(body))).status).toBe(200);
  beAhead(HOURS_2);
  expect(await processEvents()).toBe(1);
  const { rows } = await pool().query<{ seconds: number }>("SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM inbox");
  expect(rows).toHaveLength(1);
  expect(Math.abs(rows[0]?.seconds ?? Number.NaN)).toBeLessThan(5);
});

test("the difference of the clocks is measured", async () => {
  expect(Math.abs(await measureClockDifference(database.url(), systemClock))).toBeLessThan(60_000);
  beAhead(HOURS_2);
  expect(Math.abs((await measureClockDifference(database.url(), systemClock)) - HOURS_2)).toBeLessThan(60_000);
});
