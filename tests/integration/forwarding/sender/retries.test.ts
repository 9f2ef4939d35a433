import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import type { DeliveryRetriesBody } from "#lib/contracts/forwarding/delivery-retries";
import { pool } from "#lib/db/pool";
import { dryRunRetries, requestRetries, runRetries } from "#lib/flows/forwarding/deliveries";
import { pauseDestination, readDestination, resumeDestination } from "#lib/flows/forwarding/destinations";
import { readDeliveries } from "#lib/flows/forwarding/read-deliveries";
import { readOperation, resumeOperation, stopOperation } from "#lib/flows/operations/operations";
import { startLoop } from "#tests/support/background-loop";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf, receiveAndApply } from "#tests/support/forwarding/destinations";
import { countStates, startSenders, until, untilAtLeast, untilStates, useTargets } from "#tests/support/forwarding/senders";
import { fillLog } from "#tests/support/large-log";
import { atSize } from "#tests/support/sample";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, withDestination } = useTargets();

type Filter = DeliveryRetriesBody["filter"];

/** A worker that sends again what is asked for. */
const startRetries = () => open.push(startLoop(runRetries));

/** A workspace with a destination that is paused. */
async function paused() {
  const { workspaceId, source, sourceId, id, received } = await withDestination();
  const actor = ownerOf(workspaceId);
  await pauseDestination(contextOf(actor), id);
  return { workspaceId, source, sourceId, id, received, actor };
}

const over = (id: string, actor: ReturnType<typeof ownerOf>, state = "finished") =>
  until(
    () => readOperation(actor.workspaceId, id),
    (operation) => operation.state === state,
  );

describe("sending again by filter", () => {
  test("counts first and sends nothing; then sends exactly those, and no others", async () => {
    const { workspaceId, source, id, received, actor } = await paused();
    for (let n = 0; n < 6; n += 1) await receiveAndApply(source, { type: n < 4 ? "document.processed" : "task.created" });
    await pool().query(
      `UPDATE forward_deliveries f SET state = CASE WHEN type = 'task.created' THEN 'skipped' ELSE 'exhausted' END, finished_at = now(), attempts = 10,
         tries = 10, last_code = CASE WHEN n = 1 THEN 'timeout' ELSE 'server_error' END
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM forward_deliveries WHERE destination_id = $1) o WHERE o.id = f.id`,
      [id],
    );
    await resumeDestination(contextOf(actor), id, "all");
    open.push(startSenders());
    startRetries();
    const count = async (filter: Filter) => (await dryRunRetries(workspaceId, filter)).deliveries;
    expect(await count({ state: ["exhausted"] })).toBe(4);
    expect(await count({ state: ["exhausted"], outcome: ["timeout"] })).toBe(1);
    expect(await count({ state: ["exhausted", "skipped"], destination: id })).toBe(6);
    expect(await count({ state: ["exhausted"], type: ["task.created"] })).toBe(0);
    expect(await count({ state: ["exhausted"], to: new Date(0).toISOString() })).toBe(0);
    expect(await count({ state: ["exhausted"], destination: "dst_of_nobody" })).toBe(0);
    expect(received).toHaveLength(0);
    const filter: Filter = { state: ["exhausted"], outcome: ["server_error"] };
    const listed = await readDeliveries(workspaceId, filter, { limit: 10 });
    expect(listed.data).toHaveLength(3);
    const { id: operation } = await requestRetries(contextOf(actor), filter);
    expect(await over(operation, actor)).toMatchObject({ kind: "retry", done: 3, total: 3, counts: { queued: 3, skipped: 0 } });
    await untilStates(id, { delivered: 3 });
    expect(await countStates(id)).toEqual({ delivered: 3, exhausted: 1, skipped: 2 });
    expect(received.map(({ headers }) => headers["signalbox-event-id"]).sort()).toEqual(listed.data.map(({ event }) => event.id).sort());
  });

  test("touches no other workspace, and nothing that is recorded afterwards", async () => {
    const mine = await paused();
    const other = await paused();
    for (const { source } of [mine, mine, other]) await receiveAndApply(source);
    await pool().query("UPDATE forward_deliveries SET state = 'skipped', finished_at = now(), last_code = 'skipped'");
    const { id: operation } = await requestRetries(contextOf(mine.actor), { state: ["skipped"] });
    await pool().query(
      "UPDATE forward_deliveries SET created_at = now() + interval '1 minute' WHERE id = (SELECT max(id) FROM forward_deliveries WHERE destination_id = $1)",
      [mine.id],
    );
    startRetries();
    await over(operation, mine.actor);
    expect([await countStates(mine.id), await countStates(other.id)]).toEqual([{ pending: 1, skipped: 1 }, { skipped: 1 }]);
    await expect(readOperation(other.workspaceId, operation)).rejects.toThrow("no operation");
  });
});

const HELD = atSize(100_000, 10_000);
/** Enough that a request to stop comes before the end, on any machine. */
const LONG = 100_000;

/** Waits until a number grows no more for two seconds. */
async function settled(read: () => number): Promise<void> {
  for (let before = -1; before !== read(); ) {
    before = read();
    await sleep(2000);
  }
}

/** Inserts so many deliveries of one event's place each, without events: nothing but their rows is looked at. */
const insertHeld = (workspaceId: string, id: string, state: string, count = HELD) =>
  pool().query(
    `INSERT INTO forward_deliveries (workspace_id, destination_id, received_at, seq, event_id, type, subject, state, last_code)
     SELECT $1, $2, now() - n * interval '1 second', n, 'evt_' || n, 'document.processed', 'document:' || n, $3, nullif($3, 'pending')
     FROM generate_series(1, ${count}) n`,
    [workspaceId, id, state],
  );

describe(`${HELD.toLocaleString("en")} deliveries`, () => {
  beforeEach(async () => {
    await pool().query("TRUNCATE forward_deliveries");
  });

  test("are sent again with progress, can be stopped, and go on where they were", { tags: ["deep"] }, async () => {
    const { workspaceId, id, actor } = await paused();
    await insertHeld(workspaceId, id, "exhausted", LONG);
    const { id: operation } = await requestRetries(contextOf(actor), { state: ["exhausted"] });
    startRetries();
    const running = await until(
      () => readOperation(workspaceId, operation),
      ({ done }) => done > 0,
    );
    expect(running).toMatchObject({ state: "running", total: LONG, canStop: true });
    await stopOperation(contextOf(actor), operation);
    const stopped = await over(operation, actor, "stopped");
    expect(stopped.done).toBeGreaterThan(0);
    expect(stopped.done).toBeLessThan(LONG);
    expect(await countStates(id)).toEqual({ pending: stopped.done, exhausted: LONG - stopped.done });
    await resumeOperation(contextOf(actor), operation);
    expect(await over(operation, actor)).toMatchObject({ done: LONG, counts: { queued: LONG, skipped: 0 } });
    expect(await countStates(id)).toEqual({ pending: LONG });
  });

  test("that were held are sent once their destination is resumed, and a pause stops that with nothing lost", {
    tags: ["deep"],
  }, async () => {
    const { workspaceId, sourceId, id, received, actor } = await paused();
    await fillLog({ workspaceId, sourceId, events: HELD });
    await pool().query(
      `INSERT INTO forward_deliveries (workspace_id, destination_id, received_at, seq, event_id, type, subject)
       SELECT workspace_id, $2, received_at, seq, event_id, type, 'event:' || event_id FROM events WHERE workspace_id = $1`,
      [workspaceId, id],
    );
    expect((await readDestination(workspaceId, id))?.pending).toBe(HELD);
    open.push(startSenders());
    await resumeDestination(contextOf(actor), id, "all");
    await untilAtLeast(() => received.length, 501);
    const { pending = 0 } = (await readDestination(workspaceId, id)) ?? {};
    expect(pending).toBeLessThan(HELD);
    await pauseDestination(contextOf(actor), id);
    await settled(() => received.length);
    const { delivered = 0, ...rest } = await countStates(id);
    expect(rest).toEqual({ pending: HELD - delivered });
    expect(new Set(received.map(({ headers }) => headers["signalbox-event-id"])).size).toBe(delivered);
    expect(await resumeDestination(contextOf(actor), id, "none")).toEqual({ skipped: HELD - delivered });
    expect(await countStates(id)).toEqual({ delivered, skipped: HELD - delivered });
  });
});
