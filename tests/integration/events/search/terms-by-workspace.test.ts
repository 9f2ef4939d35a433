import { expect, it } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { pool } from "#lib/db/pool";
import { readSearch, tsqueryOf } from "#lib/events/search/query";
import { useDatabase } from "#tests/support/database";
import { listInPages } from "#tests/support/event-pages";
import { append, fileAll } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const SECOND = 1_760_000_000;

async function send(place: { workspaceId: WorkspaceId; sourceId: SourceId }, ids: string[], data: Record<string, unknown>): Promise<void> {
  const events = ids.map((eventId) => ({ eventId, type: "document.processed", created: SECOND, data }));
  await append(place.workspaceId, place.sourceId, events);
}

/** Files an event as the release before did. */
const fileAsBefore = (workspaceId: WorkspaceId, eventId: string, terms: string[]) =>
  pool().query(
    `UPDATE event_search f SET terms = array_to_tsvector($3::text[]) FROM events e
     WHERE e.workspace_id = $1 AND e.event_id = $2 AND f.received_at = e.received_at AND f.seq = e.seq`,
    [workspaceId, eventId, terms],
  );

const find = async (workspaceId: WorkspaceId, filter: EventFilter) =>
  (await listInPages(workspaceId, filter, 1)).map((id) => id.slice(4)).join("");

it("finds what the release before filed beside what this one files, in one order", async () => {
  const place = await makeWorkspace();
  const { workspaceId } = place;
  await send(place, ["evt_a", "evt_b", "evt_c", "evt_d"], { documentId: "doc_1", status: "failed", name: "O'Hara Invoice" });
  await fileAll();
  const before = ["document.processed", "data.documentid:doc_1", "doc_1", "doc", "data.status:failed", "failed"];
  for (const id of ["evt_a", "evt_c"]) {
    const { rowCount } = await fileAsBefore(workspaceId, id, [...before, id, "data.name:o'hara invoice", "o", "hara", "invoice"]);
    expect(rowCount).toBe(1);
  }
  for (const q of ["invoice", "inv", "o'hara", "data.status:failed", "data.name:o'h*", "failed invo", "data.status:failed doc_1"])
    expect([q, await find(workspaceId, { q })]).toEqual([q, "dcba"]);
  expect(await find(workspaceId, { q: "invoice nonesuch" })).toBe("");
});

it("a word that another workspace has often is not looked up in that workspace's events", async () => {
  const [large, small] = [await makeWorkspace(), await makeWorkspace()];
  const ids = (name: string, count: number) => Array.from({ length: count }, (_, n) => `rec_${name}_${n}`);
  await send(large, ids("large", 400), { documentId: "doc_1", status: "overdue", note: "receipt" });
  await send(small, ids("small", 5), { documentId: "doc_1", status: "overdue", note: "receipt" });
  await fileAll();
  for (const q of ["receipt", "rec", "data.status:overdue", "data.note:rece*", "rec_"])
    expect([q, await countFound(small.workspaceId, q)]).toEqual([q, 5]);
});

/** Counts what the index leads to, before a search asks each event for its workspace. */
async function countFound(workspaceId: WorkspaceId, q: string): Promise<number | undefined> {
  const { rows } = await pool().query<{ n: number }>("SELECT count(*) AS n FROM event_search WHERE terms @@ $1::tsquery", [
    tsqueryOf(workspaceId, readSearch(q).terms),
  ]);
  return rows[0]?.n;
}
