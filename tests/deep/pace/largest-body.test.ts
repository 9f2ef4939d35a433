import { expect, it, onTestFinished } from "vitest";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { nodeReceiver, useReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

const MIB = 1_048_576;
/** The largest that the setting allows (docs/configuration.md). */
useDatabase({ WEBHOOK_MAX_BYTES: String(64 * MIB) });

const receiver = useReceiver(nodeReceiver());

// The receiver's time limits against the pace of this machine: nothing else may take its processors.

const large = (eventId: string, mebibytes: number) =>
  signed(envelope({ id: eventId, data: { documentId: "doc_1", text: "x".repeat(mebibytes * MIB) } }));

/** A transaction of somebody else, which is open until it is told to end. */
async function transaction(sql: string, values: unknown[] = []): Promise<() => Promise<void>> {
  const client = await pool().connect();
  await client.query("BEGIN");
  await client.query(sql, values);
  let open = true;
  const end = async () => {
    if (!open) return;
    open = false;
    await client.query("ROLLBACK");
    client.release();
  };
  onTestFinished(end);
  return end;
}

/** Waits until a receiver's statement waits for a lock: what it stores has arrived whole. */
const untilItWaits = () =>
  expect
    .poll(
      async () => {
        const waiting = "SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'signalbox-receiver%' AND wait_event_type = 'Lock'";
        return (await pool().query(waiting)).rowCount;
      },
      { timeout: 60_000 },
    )
    .toBe(1);

it("a large body is given the longer for its size: it is stored where a small one has been answered 503", async () => {
  const { source } = await makeWorkspace();
  expect((await receiver.send(source, signed(envelope({ id: "evt_first" })))).status).toBe(200);
  const unlock = await transaction("LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE");
  const stored = receiver.send(source, large("evt_large", 48));
  await untilItWaits();
  const since = performance.now();
  expect((await receiver.send(source, signed(envelope({ id: "evt_small" })))).status).toBe(503);
  expect(performance.now() - since).toBeLessThan(5000);
  await unlock();
  expect((await stored).status).toBe(200);
}, 120_000);

it("nothing small waits while a large body is committed", async () => {
  const { source, sourceId, workspaceId } = await makeWorkspace();
  const other = await makeWorkspace(); // what is open locks the source's last arrival, too
  const end = await transaction(
    "INSERT INTO event_keys (source_id, event_id, workspace_id, received_at, seq, body_sha256) VALUES ($1, 'evt_held', $2, now(), 0, '')",
    [sourceId, workspaceId],
  );
  let done = false;
  const stored = receiver.send(source, large("evt_held", 20)).finally(() => {
    done = true;
  });
  await untilItWaits();
  expect((await receiver.send(other.source, signed(envelope({ id: "evt_beside" })))).status).toBe(200);
  expect(done).toBe(false);
  await end();
  expect((await stored).status).toBe(200);
}, 120_000);
