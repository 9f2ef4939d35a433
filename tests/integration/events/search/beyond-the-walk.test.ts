import { beforeAll, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { pool } from "#lib/db/pool";
import { listPositions } from "#lib/events/log/event-body-store";
import { parseFilter } from "#lib/events/search/query";
import { findLeadTerms, isWalkedWhole } from "#lib/events/search/strategy-store";
import { readVolume } from "#lib/events/volume-store";
import { countHours } from "#lib/flows/events/count-hours";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { useDatabase } from "#tests/support/database";
import { listInPages } from "#tests/support/event-pages";
import { failOldest, fillLog } from "#tests/support/large-log";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();
let workspaceId: WorkspaceId;

beforeAll(async () => {
  const place = await makeWorkspace();
  workspaceId = place.workspaceId;
  await fillLog({ ...place, events: 10_000 });
  while ((await indexEvents(5000)) > 0);
  await pool().query("UPDATE event_hour_places SET caught_up = false WHERE workspace_id = $1", [workspaceId]);
  while (await countHours());
  await failOldest(workspaceId, 12);
});

/** IDs of the events whose data SQL finds so, the newest first. */
async function listWhere(condition: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT event_id AS id FROM (SELECT *, convert_from(body, 'UTF8')::jsonb -> 'data' AS data FROM events WHERE workspace_id = $1) e
     WHERE ${condition} ORDER BY received_at DESC, seq DESC`,
    [workspaceId],
  );
  return rows.map(({ id }) => id);
}

/** Time for a count on a busy machine. */
const PATIENT = { limitMs: 20_000 };

const find = (q: string, limit: number) => listInPages(workspaceId, { q }, limit);

it("a word that the newest events have too seldom for a page is found in its order to the last, page after page", async () => {
  const expected = await listWhere("data ->> 'status' = 'failed'");
  expect(expected).toHaveLength(20);
  // Of the newest 4,000, 8 have it: too few for a page of 8 and one more.
  for (const limit of [3, 8, 11, 19, 20, 50]) expect([limit, await find("data.status:failed", limit)]).toEqual([limit, expected]);
});

it.each([
  ["a beginning that every event has", "invo", "true"],
  ["a beginning that one event in five has", "compl", "data ->> 'status' = 'completed'"],
  ["two frequent ones", "invo compl", "data ->> 'status' = 'completed'"],
  ["one that none has", "nonesuch", "false"],
])("finds what has a rare value and %s", async (_, words, condition) => {
  const expected = await listWhere(`data -> 'metadata' ->> 'supplier' = 'Supplier 7' AND ${condition}`);
  const q = `${words} data.metadata.supplier:"Supplier 7"`;
  for (const limit of [1, 50]) expect([limit, await find(q, limit)]).toEqual([limit, expected]);
  expect(await readVolume(workspaceId, { q }, new Date(), PATIENT)).toMatchObject({ precision: "exact", total: expected.length });
});

it.each([
  ["a sentence of equally rare words", "scan too dark", ["scan"]],
  ["a frequent word and a rare one", "invo scan", ["scan"]],
  ["words that none of the newest events has, and a rare one", "scan nonesuch neverheard", ["nonesuch", "neverheard"]],
  ["frequent words alone", "invo suppl", ["invo", "suppl"]],
  ["a value at its path and a frequent word", 'invo data.metadata.supplier:"Supplier 7"', ["supplier 7"]],
])("the index is asked by the words that lead to the fewest events: %s", async (_, q, leads) => {
  // It is given 250 ms, and again until a busy machine has had enough of them.
  const lead = () => findLeadTerms(workspaceId, parseFilter({ q }), new Date());
  await expect.poll(async () => (await lead()).map(({ text }) => text)).toEqual(leads);
});

it("finds a sentence of equally rare words to the last event", async () => {
  const expected = await listWhere("data ->> 'reason' = 'The scan is too dark to read'");
  expect(expected).toHaveLength(20);
  for (const limit of [3, 50]) expect([limit, await find("scan too dark", limit)]).toEqual([limit, expected]);
  expect(await readVolume(workspaceId, { q: "scan too dark" }, new Date(), PATIENT)).toMatchObject({ precision: "exact", total: 20 });
  expect(await find("scan too bright", 50)).toEqual([]);
});

const FAILED = "(received_at, seq) IN (SELECT received_at, seq FROM dead_letters)";

it.each<[string, EventFilter, string]>([
  ["what failed", { state: ["failed"] }, FAILED],
  ["a record", { resource: "document:doc_big_3" }, "data ->> 'documentId' = 'doc_big_3'"],
  ["a type and what failed", { state: ["failed"], type: ["task.completed"] }, `type = 'task.completed' AND ${FAILED}`],
])("finds a frequent word among %s, however old, by looking at nothing else", async (_, filter, condition) => {
  const expected = await listWhere(condition);
  expect(expected.length).toBeGreaterThan(0);
  const asked = { ...filter, q: "invoice" };
  await expect.poll(() => isWalkedWhole(workspaceId, parseFilter(asked), new Date())).toBe(true);
  for (const limit of [1, 50]) expect([limit, await listInPages(workspaceId, asked, limit)]).toEqual([limit, expected]);
  expect(await readVolume(workspaceId, asked, new Date(), PATIENT)).toMatchObject({ precision: "exact", total: expected.length });
  expect((await listPositions(workspaceId, asked, 100, new Date())).length).toBe(expected.length);
});

it("a walk does not see all where a filter leaves more than it looks at, or none is asked", async () => {
  for (const filter of [
    { q: "invoice" },
    { q: "invoice", type: ["document.uploaded", "task.created", "task.completed"] },
    { state: ["failed" as const] },
  ])
    expect([filter, await isWalkedWhole(workspaceId, parseFilter(filter), new Date())]).toEqual([filter, false]);
});

/** What a log of millions exceeds, for one of ten thousand. */
const LIMITS = { maxMatches: 4000, ...PATIENT };

it("estimates a frequent search by the number of all events and a sample of them", async () => {
  const all = await readVolume(workspaceId, { q: "invoice" }, new Date(), LIMITS);
  expect(all).toMatchObject({ precision: "estimate", total: 10_000 });
  const some = await readVolume(workspaceId, { q: "pip_" }, new Date(), LIMITS);
  expect(some.precision).toBe("estimate");
  expect(Math.abs(some.total / (10_000 * 0.6) - 1)).toBeLessThan(0.1);
  // The first and the last bar may hold a single event.
  expect(some.bars.slice(1, -1).filter(({ count }) => count === 0)).toEqual([]);
});

it("counts what is frequent among the newest events and in too few of the others, and a frequent word among few events", async () => {
  expect(await readVolume(workspaceId, { q: "compl" }, new Date(), LIMITS)).toMatchObject({ precision: "exact", total: 1980 });
  expect(await readVolume(workspaceId, { q: "invoice", period: "24h" }, new Date(), LIMITS)).toMatchObject({ precision: "exact" });
});
