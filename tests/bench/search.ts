import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { resetEnv } from "#lib/config/env";
import type { EventFilter } from "#lib/contracts/events/events";
import { migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { readVolume } from "#lib/events/volume-store";
import { exportEvents } from "#lib/flows/events/export-events";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { TEST_ENV } from "#tests/support/environment";
import { fillLog } from "#tests/support/large-log";
import { makeOpenFolder } from "#tests/support/open-folder";
import { makeWorkspace } from "#tests/support/webhooks";
import { percentile, runUnhurried, say, timings } from "./harness.ts";
import { questionsOf } from "./questions.ts";

// `npm run bench -- search`: what the history's search box and filters cost, what
// filing the log for the search costs, and an export.

const { values } = parseArgs({ options: { events: { type: "string", default: "1000000" }, runs: { type: "string", default: "60" } } });
const events = Number(values.events);
const runs = Number(values.runs);
const folder = makeOpenFolder("signalbox-search-");
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: true });
resetEnv({ ...TEST_ENV, DATABASE_URL: postgres.url });
await migrate(postgres.url);
const place = await makeWorkspace("bench");
const { workspaceId } = place;

let since = performance.now();
const seconds = () => (performance.now() - since) / 1000;
await fillLog({ ...place, events });
await pool().query("SELECT ensure_search_partitions((current_date - 31)::date, 3)");
say(`search: ${events.toLocaleString("en")} events, filled in ${seconds().toFixed(0)} s`);
since = performance.now();
while ((await indexEvents()) > 0);
const filed = seconds();
say(`  filed for the search in ${filed.toFixed(0)} s: ${(events / filed).toFixed(0)} events/s by one worker alone`);
await runUnhurried(postgres.url, "VACUUM (ANALYZE) events, event_keys, event_refs, event_search");
const { rows } = await pool().query<{ log: string; table: string; index: string }>(
  `SELECT pg_size_pretty(sum(pg_total_relation_size(inhrelid)) FILTER (WHERE inhparent = 'events'::regclass)) AS log,
     pg_size_pretty(sum(pg_table_size(inhrelid)) FILTER (WHERE inhparent = 'event_search'::regclass)) AS table,
     pg_size_pretty(sum(pg_indexes_size(inhrelid)) FILTER (WHERE inhparent = 'event_search'::regclass)) AS index FROM pg_inherits`,
);
say(`  the log with its indexes ${rows[0]?.log}; beside it the search's table ${rows[0]?.table} and its indexes ${rows[0]?.index}`);

for (const [name, filter] of Object.entries(questionsOf("big", events))) {
  let found = 0;
  let cut = 0;
  const ask = async (run: number) => {
    const page = await listEvents(workspaceId, filter(run), { now: new Date(), limit: 50 }).catch((error: { code?: string }) => {
      if (error.code !== "search_too_slow") throw error;
      cut += 1;
      return { data: [] };
    });
    found += page.data.length;
  };
  await timings(3, ask);
  found = 0;
  cut = 0;
  const took = await timings(runs, ask);
  const told = `p50 ${percentile(took, 0.5).toFixed(1)} ms, p95 ${percentile(took, 0.95).toFixed(1)} ms, ${(found / runs).toFixed(0)} rows`;
  say(`  ${name.padEnd(30)} ${told}${cut === 0 ? "" : `, ${cut} of ${runs} cut with a hint`}`);
}
for (const [name, filter] of Object.entries({
  all: {},
  "one type": { type: ["task.created"] },
  "a search": { q: "data.status:failed" },
} as Record<string, EventFilter>)) {
  const took = await timings(5, () => readVolume(workspaceId, filter, new Date()));
  const { total, precision } = await readVolume(workspaceId, filter, new Date());
  say(`  counted over time, ${name.padEnd(10)} p50 ${percentile(took, 0.5).toFixed(0)} ms, ${total.toLocaleString("en")} (${precision})`);
}

since = performance.now();
const before = process.memoryUsage.rss();
let [bytes, lines, most] = [0, 0, before];
for await (const piece of exportEvents(workspaceId, { period: "7d" }, "ndjson", new Date())) {
  bytes += piece.length;
  lines += piece.split("\n").length - 1;
  most = Math.max(most, process.memoryUsage.rss());
}
const megabytes = (n: number) => (n / 1_048_576).toFixed(0);
say(
  `  export of ${lines.toLocaleString("en")} events: ${megabytes(bytes)} MB in ${seconds().toFixed(1)} s (${(lines / seconds()).toFixed(0)} events/s), memory grew by ${megabytes(most - before)} MB`,
);

await closePools();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
