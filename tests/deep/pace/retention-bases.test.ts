import { beforeAll, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { applyRetention } from "#lib/flows/events/retention";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { append, drainInbox } from "#tests/support/log-writer";
import { daysToMonth, monthsAgo } from "#tests/support/months";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const EVENTS = 10_000;
const DAY_MS = 86_400_000;

beforeAll(async () => {
  await pool().query("SELECT ensure_event_partitions((current_date - 200)::date, 8)");
});

/** Records of five events of 1 KB each, some months old. */
async function applied(days: number): Promise<number> {
  const { workspaceId, sourceId } = await makeWorkspace();
  await pool().query("UPDATE workspaces SET retention_days = $2 WHERE id = $1", [workspaceId, days]);
  const old = new Date(monthsAgo(3).getTime() + 10 * DAY_MS);
  const created = Math.floor(old.getTime() / 1000);
  const events = Array.from({ length: EVENTS }, (_, n) => ({
    eventId: `evt_${n}`,
    type: n % 5 === 4 ? "document.processed" : "document.uploaded",
    created,
    data: { documentId: `doc_${Math.floor(n / 5)}`, name: `Invoice ${n}.pdf`, note: "x".repeat(850) },
  }));
  await append(workspaceId, sourceId, events, old);
  const since = performance.now();
  await drainInbox();
  return performance.now() - since;
}

it("retention takes at most twice as long to keep what events said and to delete them as a worker took to apply them", async () => {
  const applyingMs = await applied(daysToMonth(1));
  const since = performance.now();
  expect((await applyRetention()).eventsForgotten).toBe(EVENTS);
  const ms = performance.now() - since;
  const { rows } = await pool().query<{ n: number; bytes: number; views: number }>(
    "SELECT (SELECT count(*) FROM view_bases) AS n, pg_total_relation_size('view_bases')::float8 AS bytes, pg_total_relation_size('views')::float8 AS views",
  );
  const [{ n, bytes, views } = { n: 0, bytes: 0, views: 0 }] = rows;
  expect(n).toBe(EVENTS / 5);
  const kb = (each: number) => (each / n / 1000).toFixed(1);
  figure(
    `${EVENTS} events of 1 KB leave the log in ${Math.round(ms)} ms with what they said kept (applied in ${Math.round(applyingMs)} ms); a base takes ${kb(bytes)} kB, its view ${kb(views)} kB`,
  );
  expect(ms).toBeLessThan(2 * applyingMs);
}, 120_000);
