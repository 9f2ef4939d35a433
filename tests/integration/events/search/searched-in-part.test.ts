import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { append } from "#tests/support/log-writer";
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
