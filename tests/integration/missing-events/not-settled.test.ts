import { afterEach, expect, it, vi } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { listMissingEvents } from "#lib/missing-events/missing-event-store";
import { takeArrivals } from "#lib/missing-events/watch-store";
import { useDatabase } from "#tests/support/database";
import { beginAppend } from "#tests/support/held-append";
import { append, drainInbox } from "#tests/support/log-writer";
import { beginWith } from "#tests/support/other-session";
import { makeWorkspace } from "#tests/support/webhooks";

const arrivals = { left: false };
vi.mock("#lib/missing-events/watch-store", async (actual) => {
  const store = await actual<typeof import("#lib/missing-events/watch-store")>();
  const takeArrivals: typeof store.takeArrivals = async (...given) => {
    const taken = await store.takeArrivals(...given);
    return { ...taken, more: taken.more || arrivals.left };
  };
  return { ...store, takeArrivals };
});

useDatabase();
afterEach(() => vi.useRealTimers());

type World = { workspaceId: WorkspaceId; sourceId: SourceId };

const NOW_S = Math.floor(Date.now() / 1000);
/** After the time that a missing event waits at least. */
const later = () => new Date(Date.now() + 40_000);

const uploaded = { eventId: "evt_uploaded", type: "document.uploaded", created: NOW_S - 3600, data: { documentId: "doc_1" } };
const processed = { eventId: "evt_processed", type: "document.processed", created: NOW_S - 3500, data: { documentId: "doc_1" } };

async function countIn(world: World, state: "open" | "closed"): Promise<number> {
  return (await listMissingEvents(world.workspaceId, { state }, { limit: 10 })).data.length;
}

/** A document was processed and never uploaded: that is suspected, and not shown yet. */
async function suspect(): Promise<World> {
  const world = await makeWorkspace();
  await append(world.workspaceId, world.sourceId, [processed]);
  await drainInbox();
  await detectMissingEvents();
  expect(await countIn(world, "open")).toBe(0);
  return world;
}

/** A transaction that goes on. */
const hold = () => beginWith("SELECT pg_current_xact_id()");

it("nothing is missing that is in the log and waits to be applied", async () => {
  const world = await suspect();
  await append(world.workspaceId, world.sourceId, [uploaded]);
  await detectMissingEvents(later());
  expect(await countIn(world, "open")).toBe(0);
  await drainInbox();
  await detectMissingEvents(later());
  expect([await countIn(world, "open"), await countIn(world, "closed")]).toEqual([0, 0]);
});

it("a backlog of one workspace does not keep another's missing events from being shown", async () => {
  const world = await suspect();
  const busy = await makeWorkspace();
  await append(busy.workspaceId, busy.sourceId, [uploaded]);
  await detectMissingEvents(later());
  expect(await countIn(world, "open")).toBe(1);
  await drainInbox();
});

it("nothing is missing that is applied while an open transaction keeps the watch from seeing it", async () => {
  const world = await suspect();
  const long = await hold();
  await append(world.workspaceId, world.sourceId, [uploaded]);
  await drainInbox();
  await detectMissingEvents(later());
  expect(await countIn(world, "open")).toBe(0);
  await long.end();
  await detectMissingEvents(later());
  expect([await countIn(world, "open"), await countIn(world, "closed")]).toEqual([0, 0]);
});

it("what is missing is shown by a moment that has been looked at, while transactions go on without an end", async () => {
  const world = await suspect();
  const first = await hold();
  await pool().query("SELECT pg_current_xact_id()");
  await detectMissingEvents(later());
  expect(await countIn(world, "open")).toBe(0);
  await hold();
  await pool().query("SELECT pg_current_xact_id()");
  await first.end();
  await detectMissingEvents(later());
  expect(await countIn(world, "open")).toBe(1);
});

it("a worker whose clock is ahead shows nothing sooner", async () => {
  const world = await suspect();
  await detectMissingEvents();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 20_000 });
  await detectMissingEvents();
  expect(await countIn(world, "open")).toBe(0);
});

const noted = async (sourceId: SourceId) => {
  const { rows } = await pool().query<{ id: string }>("SELECT last_event_id AS id FROM source_cadences WHERE source_id = $1", [sourceId]);
  return rows[0]?.id;
};

const upload = (eventId: string) => ({ eventId, type: "document.uploaded", created: NOW_S, data: { documentId: `doc_${eventId}` } });

it("an arrival is noted that was committed after another source's, though it was received before", async () => {
  const [slow, other] = [await makeWorkspace(), await makeWorkspace()];
  const held = await beginAppend(slow.workspaceId, slow.sourceId, upload("evt_slow"));
  await append(other.workspaceId, other.sourceId, [upload("evt_other")]);
  await detectMissingEvents();
  await held.query("COMMIT");
  held.release();
  await detectMissingEvents();
  expect([await noted(slow.sourceId), await noted(other.sourceId)]).toEqual(["evt_slow", "evt_other"]);
});

it("an arrival is noted that comes through a machine whose clock is behind, and one before 2,000 others", async () => {
  const [quiet, busy] = [await makeWorkspace(), await makeWorkspace()];
  await append(busy.workspaceId, busy.sourceId, [upload("evt_busy")]);
  await detectMissingEvents();
  const behind = await beginAppend(quiet.workspaceId, quiet.sourceId, upload("evt_behind"), new Date(Date.now() - 8000));
  await behind.query("COMMIT");
  behind.release();
  await detectMissingEvents();
  expect(await noted(quiet.sourceId)).toBe("evt_behind");
  const { rows } = await pool().query<{ id: SourceId }>(
    `INSERT INTO sources (id, workspace_id, name) SELECT 'src_early', workspace_id, 'early' FROM sources WHERE id = $1 RETURNING id`,
    [busy.sourceId],
  );
  const early = rows[0]?.id as SourceId;
  await append(busy.workspaceId, early, [upload("evt_early")]);
  await append(
    busy.workspaceId,
    busy.sourceId,
    Array.from({ length: 2100 }, (_, n) => upload(`evt_many_${n}`)),
  );
  await detectMissingEvents();
  expect(await noted(early)).toBe("evt_early");
}, 60_000);

it("arrivals of one workspace that are left to be noted keep no missing record of another from being shown, only silent sources", async () => {
  const world = await suspect();
  const regularly = Array.from({ length: 30 }, (_, n) => ({ ...upload(`evt_${n}`), created: NOW_S - 1000 - 10 * n }));
  const silent = await makeWorkspace();
  await append(silent.workspaceId, silent.sourceId, regularly);
  await drainInbox();
  await detectMissingEvents();
  const open = async (after: number) => {
    await detectMissingEvents(new Date(Date.now() + after));
    return [await countIn(world, "open"), await countIn(silent, "open")];
  };
  arrivals.left = true;
  // Silent for more than ten minutes.
  await open(700_000);
  expect(await open(740_000)).toEqual([1, 0]);
  arrivals.left = false;
  expect(await open(740_000)).toEqual([1, 1]);
});

it("what is read of arrivals is bounded over all workspaces, and each gets its turn", async () => {
  await detectMissingEvents();
  const [busy, quiet] = [await makeWorkspace(), await makeWorkspace()];
  await append(
    busy.workspaceId,
    busy.sourceId,
    Array.from({ length: 10 }, (_, n) => upload(`evt_${n}`)),
  );
  await append(quiet.workspaceId, quiet.sourceId, [upload("evt_quiet")]);
  const take = () => inTransaction(pool(), (client) => takeArrivals(client, 5, 4));
  const taken = [await take(), await take(), await take(), await take()];
  expect(taken.map(({ arrivals, more }) => [arrivals.length, more])).toEqual([
    [4, true],
    [4, true],
    [3, false],
    [0, false],
  ]);
  expect(taken[0]?.arrivals.map(({ eventId }) => eventId)).toContain("evt_quiet");
  const ids = taken.flatMap(({ arrivals }) => arrivals.map(({ workspaceId, eventId }) => `${workspaceId} ${eventId}`));
  expect(new Set(ids).size).toBe(11);
});
