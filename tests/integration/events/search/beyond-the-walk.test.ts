import { beforeAll, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { readVolume } from "#lib/events/volume-store";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { useDatabase } from "#tests/support/database";
import { listInPages } from "#tests/support/event-pages";
import { fillLog } from "#tests/support/large-log";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();
let workspaceId: WorkspaceId;

beforeAll(async () => {
  const place = await makeWorkspace();
  workspaceId = place.workspaceId;
  await fillLog({ ...place, events: 10_000 });
  while ((await indexEvents(5000)) > 0);
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
  expect(await readVolume(workspaceId, { q }, new Date())).toMatchObject({ precision: "exact", total: expected.length });
});
