import { expect, it } from "vitest";
import { inTransaction, pool } from "#lib/db/pool";
import { dropPartition, listExpiredEvents, saveRetention } from "#lib/events/retention-store";
import { applyRetention } from "#lib/flows/events/retention";
import { changeFieldMapping } from "#lib/flows/sources/field-mapping";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { until } from "#tests/support/forwarding/senders";
import { append, drainInbox } from "#tests/support/log-writer";
import { noAudit } from "#tests/support/no-audit";
import { countBlocked } from "#tests/support/other-session";
import { pauseBefore, useStatements } from "#tests/support/statements";
import { actorOf, makeWorkspace } from "#tests/support/webhooks";

useDatabase();
useStatements();

const LONG_AGO = new Date(Date.now() - 200 * 86_400_000);
const PARTITION = `events_${LONG_AGO.getUTCFullYear()}_${String(LONG_AGO.getUTCMonth() + 1).padStart(2, "0")}`;

/** A workspace with one event that its policy keeps no more. */
async function withExpired(data = {}) {
  await pool().query("SELECT ensure_event_partitions((current_date - 210)::date, 3)");
  const made = await makeWorkspace();
  const event = { eventId: "evt_old", type: "task.created", created: 1, data };
  await append(made.workspaceId, made.sourceId, [event], LONG_AGO);
  await drainInbox();
  return made;
}

it("a month that a policy keeps by now is not dropped, and no policy that keeps it is set while it is being dropped", async () => {
  const { workspaceId } = await withExpired();
  const locking = pauseBefore(/LOCK TABLE "events_/);
  const dropping = dropPartition(PARTITION);
  await locking.reached;
  await saveRetention(workspaceId, 365);
  locking.release();
  expect(await dropping).toBe(false);

  await saveRetention(workspaceId, 30);
  const drop = pauseBefore(/DROP TABLE "events_/);
  const again = dropPartition(PARTITION);
  await drop.reached;
  let isSet = false;
  const setting = saveRetention(workspaceId, 365).then(() => {
    isSet = true;
  });
  await until(async () => isSet || (await countBlocked("WITH before AS%")) === 1, Boolean);
  expect(isSet).toBe(false);
  drop.release();
  expect(await again).toBe(true);
  await setting;
});

it("no field mapping changes while bases are made with the one before", async () => {
  const made = await withExpired({ taskId: "tsk_1" });
  const keeping = pauseBefore(/INSERT INTO view_bases/);
  const round = applyRetention();
  await keeping.reached;
  let isSet = false;
  const setting = changeFieldMapping(contextOf(actorOf(made), { audit: noAudit }), made.sourceId, { taskId: ["ref"] }).then(() => {
    isSet = true;
  });
  const waits = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
  await until(async () => isSet || (await pool().query(waits)).rowCount === 1, Boolean);
  expect(isSet).toBe(false);
  keeping.release();
  await Promise.all([round, setting]);
});

it("a statement looks at so many rows, also of those that an earlier round has forgotten", async () => {
  await pool().query("SELECT ensure_event_partitions((current_date - 210)::date, 3)");
  const { workspaceId, sourceId } = await makeWorkspace();
  const events = [1, 2, 3, 4, 5].map((n) => ({ eventId: `evt_${n}`, type: "task.created", created: n, data: { taskId: "tsk" } }));
  await append(workspaceId, sourceId, events, LONG_AGO);
  await drainInbox();
  const from = new Date(LONG_AGO.getTime() - 1000).toISOString();
  const to = new Date(LONG_AGO.getTime() + 1000).toISOString();
  await inTransaction(pool(), async (client) => {
    await client.query("SET LOCAL signalbox.bases = 'kept'");
    await client.query("DELETE FROM event_keys WHERE workspace_id = $1 AND event_id IN ('evt_1', 'evt_2', 'evt_3')", [workspaceId]);
    const batches: string[][] = [];
    let last = null;
    do {
      const batch: Awaited<ReturnType<typeof listExpiredEvents>> = await listExpiredEvents(client, { workspaceId, from, to }, last, 2);
      batches.push(batch.events.map(({ eventId }) => eventId));
      last = batch.last;
    } while (last);
    expect(batches).toEqual([[], ["evt_4"], ["evt_5"], []]);
  });
});
