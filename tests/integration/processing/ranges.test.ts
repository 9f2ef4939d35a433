import { expect, it, onTestFinished } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { findEvent } from "#lib/events/event-store";
import { readEvent } from "#lib/flows/events/read-event";
import { cleanUp } from "#lib/flows/installation/clean-up";
import { processEvents } from "#lib/flows/processing/process-events";
import { beginClaim, claimRanges, endRanges, giveBackRanges, readRanges, setRangesApart } from "#lib/processing/log-range-store";
import { useDatabase } from "#tests/support/database";
import { beginAppend } from "#tests/support/held-append";
import { append, drainInbox } from "#tests/support/log-writer";
import { countWaiting, EVERY_TRY, passOverWaiting } from "#tests/support/waiting";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

type World = { workspaceId: WorkspaceId; sourceId: SourceId };

const upload = (n: number) => ({ eventId: `evt_${n}`, type: "document.uploaded", created: 100 + n, data: { documentId: `doc_${n}` } });
const uploads = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => upload(from + n));
const fill = ({ workspaceId, sourceId }: World, from: number, to: number) => append(workspaceId, sourceId, uploads(from, to));

const stateOf = async ({ workspaceId }: World, n: number) => (await findEvent(workspaceId, `evt_${n}`))?.summary.state;

/** Returns how often the events of a workspace were applied: [events, applications]. */
async function applications({ workspaceId }: World): Promise<[number, number]> {
  const { rows } = await pool().query<{ events: number; applied: number }>(
    `SELECT count(DISTINCT seq) AS events, count(*) AS applied FROM ${EVERY_TRY} t WHERE workspace_id = $1 AND outcome = 'applied'`,
    [workspaceId],
  );
  return [rows[0]?.events ?? 0, rows[0]?.applied ?? 0];
}

/** Claims as a worker does, and never comes to the end. @returns the claim */
async function claimAndFail(world: World, limit: number): Promise<number> {
  let claim = 0;
  const failing = inTransaction(pool("worker"), async (client) => {
    claim = await beginClaim(client);
    expect(await claimRanges(claim, { workspaceIds: [world.workspaceId], limit, share: limit })).toBe(limit);
    expect(await readRanges(client, claim)).toHaveLength(limit);
    // Nobody else may take it meanwhile.
    expect(await setRangesApart(claim)).toBe(false);
    expect(await stateOf(world, 0)).toBe("pending");
    throw new Error("the worker ends here");
  });
  await expect(failing).rejects.toThrow("the worker ends here");
  return claim;
}

it("an event is pending until the commit that applies it, in the middle of the log too", async () => {
  const world = await makeWorkspace();
  await fill(world, 0, 10);
  await claimAndFail(world, 4);
  // The range that was left lies before ranges that are applied.
  expect(await processEvents(1)).toBeGreaterThan(0);
  expect(await stateOf(world, 4)).toBe("processed");
  expect(await stateOf(world, 0)).toBe("pending");
  expect(await stateOf(world, 9)).toBe("pending");
  await drainInbox();
  expect(await stateOf(world, 0)).toBe("processed");
  expect(await applications(world)).toEqual([10, 10]);
  expect((await readEvent(world.workspaceId, "evt_4"))?.attempts).toMatchObject([{ number: 1, outcome: "applied" }]);
  expect((await readEvent(world.workspaceId, "evt_0"))?.attempts).toMatchObject([{ number: 1, outcome: "applied" }]);
});

it("a range that was given back is applied as a batch, once; its former claim can no longer end it", async () => {
  const world = await makeWorkspace();
  await fill(world, 0, 20);
  const claim = await claimAndFail(world, 20);
  await giveBackRanges([claim]);
  expect(await countWaiting(world.workspaceId)).toBe(20);
  await drainInbox();
  expect(await applications(world)).toEqual([20, 20]);
  expect((await pool().query("SELECT 1 FROM attempts WHERE workspace_id = $1", [world.workspaceId])).rowCount, "none was tried alone").toBe(
    0,
  );
  await expect(inTransaction(pool("worker"), (client) => endRanges(client, claim, 20))).rejects.toThrow("holds 0 events");
});

it("what commits late, below what is visible, is not passed over", async () => {
  const world = await makeWorkspace();
  const late = await beginAppend(world.workspaceId, world.sourceId, upload(1000));
  await fill(world, 0, 5);
  await drainInbox();
  await late.query("COMMIT");
  late.release();
  await drainInbox();
  expect(await countWaiting(world.workspaceId)).toBe(0);
  expect(await stateOf(world, 1000)).toBe("processed");
  expect(await applications(world)).toEqual([6, 6]);
});

it("four workers share a log: ranges end in any order, each event is applied once", { tags: ["deep"] }, async () => {
  const world = await makeWorkspace();
  await fill(world, 0, 2000);
  await drainInbox(4);
  expect(await applications(world)).toEqual([2000, 2000]);
  const { rows } = await pool().query(
    `SELECT count(*) AS gaps FROM (SELECT from_seq, lag(to_seq) OVER (ORDER BY to_xid, to_seq) AS before FROM log_ranges WHERE workspace_id = $1) t
     WHERE before IS NOT NULL AND from_seq <> before`,
    [world.workspaceId],
  );
  expect(rows).toEqual([{ gaps: 0 }]);
});

it("ranges go when their events have left the log, and not before", async () => {
  const world = await makeWorkspace();
  await fill(world, 0, 10);
  await drainInbox();
  const count = async () => (await pool().query("SELECT 1 FROM log_ranges WHERE workspace_id = $1", [world.workspaceId])).rowCount;
  const before = await count();
  await cleanUp(new Date());
  expect(await count()).toBe(before);
  await pool().query("SET session_replication_role = replica; DELETE FROM events; SET session_replication_role = DEFAULT");
  await passOverWaiting();
  await cleanUp(new Date());
  expect(await count()).toBe(0);
});

it("an event that a transaction hides from its claim, just as that ends, is claimed in the same round", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  onTestFinished(async () => void (await pool().query("DROP FUNCTION log_horizon; ALTER FUNCTION real_horizon RENAME TO log_horizon")));
  // The horizon is low for its second reader alone: the first says what is due, the second claims it.
  await pool().query(`ALTER FUNCTION log_horizon() RENAME TO real_horizon; CREATE SEQUENCE readers;
    CREATE FUNCTION log_horizon() RETURNS xid8 LANGUAGE plpgsql AS
      $$ BEGIN RETURN CASE WHEN nextval('readers') = 2 THEN '0'::xid8 ELSE real_horizon() END; END $$`);
  await append(workspaceId, sourceId, [{ eventId: "evt_hidden", type: "document.uploaded", created: 5, data: { documentId: "doc" } }]);
  expect(await processEvents()).toBe(1);
  const { rows } = await pool().query<{ read: number }>("SELECT last_value AS read FROM readers");
  expect(rows[0]?.read).toBeGreaterThan(2);
});
