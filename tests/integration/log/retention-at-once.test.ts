import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { dropPartition } from "#lib/events/retention/expiry-store";
import { saveRetention } from "#lib/events/retention/retention-store";
import { useDatabase } from "#tests/support/database";
import { until } from "#tests/support/forwarding/senders";
import { append, drainInbox } from "#tests/support/log-writer";
import { pauseBefore, useStatements } from "#tests/support/statements";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();
useStatements();

const LONG_AGO = new Date(Date.now() - 200 * 86_400_000);
const PARTITION = `events_${LONG_AGO.getUTCFullYear()}_${String(LONG_AGO.getUTCMonth() + 1).padStart(2, "0")}`;

/** A workspace with one event that its policy keeps no more. */
async function withExpired() {
  await pool().query("SELECT ensure_event_partitions((current_date - 400)::date, 15)");
  const { workspaceId, sourceId } = await makeWorkspace();
  await append(workspaceId, sourceId, [{ eventId: "evt_old", type: "task.created", created: 1, data: {} }], LONG_AGO);
  await drainInbox();
  return workspaceId;
}

it("a month that a policy keeps by now is not dropped, and no policy that keeps it is set while it is being dropped", async () => {
  const workspaceId = await withExpired();
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
  const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'WITH before AS%'";
  await until(async () => isSet || (await pool().query(waits)).rowCount === 1, Boolean);
  expect(isSet).toBe(false);
  drop.release();
  expect(await again).toBe(true);
  await setting;
});
