import { expect, it } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { pool } from "#lib/db/pool";
import { readSearch, tsqueryOf } from "#lib/events/search/query";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { listInPages } from "#tests/support/event-pages";
import { append, fileAll } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

/** More than 64 KB of values. */
const LARGE = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`field_${n}`, `value ${n} `.repeat(9)]));

async function world() {
  const { workspaceId, sourceId } = await makeWorkspace();
  const payloads = { evt_small: { login: "octocat" }, evt_large: { ...LARGE, sender: { login: "octocat" } }, evt_deep: deep(70) };
  const events = Object.entries(payloads).map(([eventId, data]) => ({ eventId, type: "push", created: 1_760_000_000, data }));
  await append(workspaceId, sourceId, events);
  while (await indexEvents());
  const list = (filter: Parameters<typeof listNamedEvents>[1]) => listNamedEvents(workspaceId, filter, { limit: 10, now: new Date() });
  return { workspaceId, list };
}

const deep = (depth: number): Record<string, unknown> => (depth === 0 ? { login: "deep" } : { in: deep(depth - 1) });

it("a search says how many events of its period are searched in part", async () => {
  const { list } = await world();
  expect((await list({ q: "octocat" })).searchedInPart).toEqual({ count: 2, precision: "exact" });
  expect((await list({ q: "octocat", period: "1h" })).searchedInPart).toEqual({ count: 2, precision: "exact" });
  expect((await list({ q: "octocat", to: "2020-01-01T00:00:00Z" })).searchedInPart).toEqual({ count: 0, precision: "exact" });
  expect(await list({ q: "type:push" })).not.toHaveProperty("searchedInPart");
  expect((await (await world()).list({ q: "nobody" })).searchedInPart?.count).toBe(2);
});

it("counts what an earlier release has filed: as many terms as there may be, and nothing that says so", async () => {
  const { workspaceId, list } = await world();
  await pool().query(
    `UPDATE event_search SET terms = (SELECT array_to_tsvector(array_agg('term' || n)) FROM generate_series(1, 200) n) WHERE workspace_id = $1`,
    [workspaceId],
  );
  expect((await list({ q: "octocat" })).searchedInPart?.count).toBe(3);
});

it("counts by an index of such events alone", async () => {
  await pool().query("SET enable_seqscan = off");
  try {
    const { rows: plan } = await pool().query<{ "QUERY PLAN": string }>(
      `EXPLAIN SELECT count(*) FROM (SELECT 1 FROM event_search f WHERE f.workspace_id = 'ws_1' AND f.received_at >= now() - interval '1 hour'
        AND (length(f.terms) = 200 OR f.terms @@ 'IN_PART'::tsquery) LIMIT 10001) t`,
    );
    expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toMatch(
      /Index Only Scan using event_search_\w+_workspace_id_received_at_idx/,
    );
  } finally {
    await pool().query("RESET enable_seqscan");
  }
});

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
