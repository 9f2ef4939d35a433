import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { ensurePartitions } from "#lib/db/log-maintenance";
import { pool } from "#lib/db/pool";
import { withReach } from "#lib/events/search/coverage-store";
import { readVolume } from "#lib/events/volume-store";
import { exportEvents } from "#lib/flows/events/export-events";
import { indexEvents, workSearchIndex } from "#lib/flows/events/index-for-search";
import { redeliverSet } from "#lib/flows/processing/redeliver-events";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox, fileAll } from "#tests/support/log-writer";
import { listUnfiled, loseUnlogged } from "#tests/support/lost-search";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

/** Events of one round. */
const ROUND = 500;
const MINUTE_MS = 60_000;

let world: { workspaceId: WorkspaceId; sourceId: SourceId };
let now: Date;

/** Events of one minute each, `minutes` ago. */
async function fill(eventId: string, events: number, minutes: number): Promise<void> {
  const of = (n: number) => ({ eventId: `${eventId}_${n}`, type: "push", created: 1_760_000_000, data: { word: "maple" } });
  await append(
    world.workspaceId,
    world.sourceId,
    Array.from({ length: events }, (_, n) => of(n)),
    minutesAgo(minutes),
  );
}

const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
const list = (filter: EventFilter = {}) => listNamedEvents(world.workspaceId, { q: "maple", ...filter }, { limit: 2 * ROUND + 10, now });

async function workAll(): Promise<void> {
  while (await workSearchIndex());
}

const settle = () => pool().query("UPDATE log_ranges SET ended_at = ended_at - interval '1 minute'");

async function begin(): Promise<void> {
  now = new Date();
  world = await makeWorkspace();
}

beforeEach(workAll); // what an earlier test has lost

const persistenceOf = async (table: string) =>
  (await pool().query<{ kind: string }>("SELECT relpersistence AS kind FROM pg_class WHERE oid = $1::regclass", [table])).rows[0]?.kind;

// First, while the log is short: once it fails, every event of its batch is filed alone.
it("an event that filing fails of is filed by its ID and type, and the others whole", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const events = Array.from({ length: 9 }, (_, n) => ({
    eventId: `evt_${n}`,
    type: "push",
    created: 1_760_000_000,
    data: { word: "maple" },
  }));
  await append(workspaceId, sourceId, events, new Date(Date.now() - 40 * MINUTE_MS));
  await fileAll();
  await loseUnlogged();
  const { rows } = await pool().query<{ seq: number }>("SELECT seq FROM events WHERE event_id = 'evt_7'");
  await pool().query(`ALTER TABLE event_search ADD CONSTRAINT poison CHECK (seq <> ${rows[0]?.seq} OR length(terms) < 4) NOT VALID`);
  try {
    while ((await listUnfiled()).length > 0) await workSearchIndex();
    while (await workSearchIndex());
  } finally {
    await pool().query("ALTER TABLE event_search DROP CONSTRAINT poison");
    await pool().query("UPDATE event_search_progress SET alone_left = 0");
  }
  const search = (q: string) => listNamedEvents(workspaceId, { q }, { limit: 20, now: new Date() });
  expect((await search("maple")).data).toHaveLength(8);
  expect((await search("evt_7")).data).toHaveLength(1);
  expect(await search("maple")).not.toHaveProperty("searchedBackTo");
});

describe("a search whose months a crash has emptied", () => {
  beforeAll(async () => {
    await begin();
    await fill("old", ROUND, 30);
    await fill("new", ROUND, 10);
    await drainInbox();
    await fileAll();
    await settle();
    await workAll();
    expect((await list()).data).toHaveLength(2 * ROUND);
    expect(await list()).not.toHaveProperty("searchedBackTo");
  });
  beforeEach(loseUnlogged);

  it("says at once that it has lost everything, before a worker has seen it", async () => {
    const { data, searchedBackTo } = await list();
    expect(data).toEqual([]);
    expect(searchedBackTo?.eventsWaiting).toBe(2 * ROUND);
    expect(Date.parse(searchedBackTo?.at ?? "")).toBeGreaterThanOrEqual(now.getTime());
    expect(await list({ q: "type:push" })).not.toHaveProperty("searchedBackTo");
  });

  it("is filed again newest first, and says how far back it reaches", async () => {
    expect(await workSearchIndex()).toBe(true);
    const { data, searchedBackTo } = await list();
    expect(data).toHaveLength(ROUND);
    expect(data.every(({ id }) => id.startsWith("new"))).toBe(true);
    expect(searchedBackTo).toEqual({ at: minutesAgo(10).toISOString(), eventsWaiting: ROUND });
    expect(await list({ from: minutesAgo(9).toISOString() })).not.toHaveProperty("searchedBackTo");
    await workAll();
    expect((await list()).data).toHaveLength(2 * ROUND);
    expect(await list()).not.toHaveProperty("searchedBackTo");
    expect(await listUnfiled()).toEqual([]);
  });

  it("lets nobody act on all that match, and counts at least what it finds", async () => {
    await workSearchIndex();
    const filter = { q: "maple" };
    const incomplete = { code: "search_incomplete", status: 409 };
    await expect(exportEvents(world.workspaceId, filter, "ndjson", now).next()).rejects.toMatchObject(incomplete);
    await expect(redeliverSet(world.workspaceId, { filter }, { now, name: null, requestedBy: "ada" })).rejects.toMatchObject(incomplete);
    expect(await readVolume(world.workspaceId, filter, now)).toMatchObject({ total: ROUND, precision: "at_least" });
    const later = { ...filter, from: minutesAgo(9).toISOString() };
    expect(await redeliverSet(world.workspaceId, { filter: later }, { now, name: null, requestedBy: "ada", hold: true })).toMatchObject({
      total: 0,
    });
    await workAll();
    expect(await readVolume(world.workspaceId, filter, now)).toMatchObject({ total: 2 * ROUND, precision: "exact" });
    expect((await exportEvents(world.workspaceId, filter, "ndjson", now).next()).done).toBe(false);
  });

  it("begins anew when it is lost again before the end", async () => {
    await workSearchIndex();
    await loseUnlogged();
    expect((await list()).data).toEqual([]);
    await workSearchIndex();
    expect((await list()).searchedBackTo).toEqual({ at: minutesAgo(10).toISOString(), eventsWaiting: ROUND });
    await workAll();
    expect(await listUnfiled()).toEqual([]);
  });

  it("tells a search that ran while it was lost and filed again that it may have seen nothing", async () => {
    await workAll();
    const lose = async () => {
      await loseUnlogged();
      await workAll();
    };
    expect((await withReach(world.workspaceId, { q: "maple" }, now, lose)).searchedBackTo).toMatchObject({ at: now.toISOString() });
    expect((await withReach(world.workspaceId, { q: "maple" }, now, async () => {})).searchedBackTo).toBeUndefined();
  });

  it("finds what comes in meanwhile, which is filed first", async () => {
    await workSearchIndex();
    await fill("latest", 3, 0);
    expect(await indexEvents()).toBe(3);
    expect((await list()).data).toHaveLength(ROUND + 3);
    await workAll();
    expect((await list()).data).toHaveLength(2 * ROUND + 3);
  });
});

describe("months of the search", () => {
  beforeEach(begin);

  const monthOf = (ahead: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)).toISOString().slice(0, 7).replace("-", "_");

  it("are made without a write-ahead log of their own; the log is not", async () => {
    expect(await persistenceOf(`event_search_${monthOf(0)}`)).toBe("u");
    expect(await persistenceOf(`event_search_${monthOf(3)}`)).toBe("u");
    expect(await persistenceOf(`events_${monthOf(0)}`)).toBe("p");
    expect(await persistenceOf("event_search_default")).toBe("p");
  });

  it("that an earlier release made ahead lose it while they are empty, and keep it when they are not", async () => {
    const [empty, filled] = [`event_search_${monthOf(2)}`, `event_search_${monthOf(1)}`];
    await pool().query(`ALTER TABLE ${empty} SET LOGGED; ALTER TABLE ${filled} SET LOGGED`);
    await pool().query(`INSERT INTO ${filled} VALUES ('wsp_of_nobody', $1, 0, '')`, [
      new Date(`${monthOf(1).replace("_", "-")}-02T00:00:00Z`),
    ]);
    await ensurePartitions(now);
    expect(await persistenceOf(empty)).toBe("u");
    expect(await persistenceOf(filled)).toBe("p");
    await pool().query(`TRUNCATE ${filled}`);
    await ensurePartitions(now);
    expect(await persistenceOf(filled)).toBe("u");
  });

  it("that have a write-ahead log are not filed again, and are searched meanwhile", async () => {
    await pool().query(`SELECT attach_month('event_search', '2025-03-01')`);
    await pool().query("ALTER TABLE event_search_2025_03 SET LOGGED");
    await append(
      world.workspaceId,
      world.sourceId,
      [{ eventId: "kept", type: "push", created: 1, data: { word: "maple" } }],
      new Date("2025-03-05"),
    );
    await fill("lost", 3, 5);
    await fileAll();
    await loseUnlogged();
    await workSearchIndex();
    expect((await pool().query("SELECT extract(year FROM down_to)::int AS year FROM event_search_refiling")).rows).not.toEqual([
      { year: 2025 },
    ]);
    await workAll();
    await loseUnlogged();
    expect((await list()).data.map(({ id }) => id)).toEqual(["kept"]);
    expect((await list()).searchedBackTo?.eventsWaiting).toBe(3);
    expect((await list({ to: "2025-04-01T00:00:00Z" })).searchedBackTo).toBeUndefined();
    await workSearchIndex();
    expect((await list({ to: "2025-04-01T00:00:00Z" })).searchedBackTo).toBeUndefined();
    await workAll();
    expect((await list()).data).toHaveLength(4);
  });
});
