import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { resetEnv } from "#lib/config/env";
import type { EventFilter } from "#lib/contracts/events/events";
import { migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { listEvents, listResourceEvents } from "#lib/events/event-store";
import { countEventsSince, readVolume } from "#lib/events/volume-store";
import { countHours } from "#lib/flows/events/count-hours";
import { readEvent } from "#lib/flows/events/read-event";
import { processEvents } from "#lib/flows/processing/process-events";
import { readView } from "#lib/flows/views/read-views";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { TEST_ENV } from "#tests/support/environment";
import { failOldest, fileLog, fillLog } from "#tests/support/large-log";
import { makeOpenFolder } from "#tests/support/open-folder";
import { makeWorkspace } from "#tests/support/webhooks";
import { percentile, runUnhurried, say, seconds, timings } from "./harness.ts";
import { questionsOf, spread } from "./questions.ts";

// `npm run bench -- scale`: counts over logs of several sizes (`--sizes 10000,1000000`), and an event's page over logs that are applied
// (`--applied 10000,100000`), and lists, filters and searches (`--searched 10000,10000000`), with the ratio to the first. Each log is of four weeks and has a workspace of its own, the smaller first.

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "10000,1000000" },
    applied: { type: "string", default: "10000,100000" },
    searched: { type: "string", default: "10000,100000" },
    runs: { type: "string", default: "100" },
  },
});
const folder = makeOpenFolder("signalbox-scale-");
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: true });
resetEnv({ ...TEST_ENV, DATABASE_URL: postgres.url });
await migrate(postgres.url);
const unhurried = (...statements: string[]) => runUnhurried(postgres.url, ...statements);

const sizesOf = (text: string) => text.split(",").filter(Boolean).map(Number);
for (const [sizes, prepare] of [
  [sizesOf(values.applied), askPages] as const,
  [sizesOf(values.sizes), askCounts] as const,
  [sizesOf(values.searched), askLists] as const,
]) {
  const prepared: Asked[] = [];
  for (const size of sizes) prepared.push(await prepare(size));
  await unhurried("VACUUM (ANALYZE)");
  await report(prepared);
}
await closePools();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);

type Asked = Record<string, (n: number) => Promise<unknown>>;

async function askPages(size: number): Promise<Asked> {
  const { workspaceId, sourceId } = await makeWorkspace();
  const run = `n${size}`;
  await fillLog({ workspaceId, sourceId, events: size, waiting: true, run });
  const applied = await seconds(async () => {
    while ((await processEvents()) > 0);
  });
  say(`${size.toLocaleString("en")} events, applied in ${applied} s`);
  return {
    "event page": (n) => readEvent(workspaceId, `evt_${run}_${spread(size, n)}`),
    "event page, the newest": (n) => readEvent(workspaceId, `evt_${run}_${size - 1 - n}`),
  };
}

async function askCounts(size: number): Promise<Asked> {
  const { workspaceId, sourceId, source } = await makeWorkspace();
  await fillLog({ workspaceId, sourceId, events: size, run: `c${size}` });
  await pool().query("UPDATE event_hour_places SET caught_up = false WHERE workspace_id = $1", [workspaceId]);
  const counted = await seconds(async () => {
    while (await countHours());
  });
  say(`${size.toLocaleString("en")} events, counted for the first time in ${counted} s`);
  const volume = (filter: EventFilter) => async () => {
    const { precision } = await readVolume(workspaceId, filter, new Date());
    if (precision !== "exact") throw new Error(`the volume of ${JSON.stringify(filter)} is ${precision}`);
  };
  return {
    "volume of the log": volume({}),
    "volume of a type": volume({ type: ["document.processed"] }),
    "volume of two types": volume({ type: ["document.processed", "task.created"] }),
    "volume of a source": volume({ source }),
    "volume of what was processed": volume({ state: ["processed"] }),
    "volume of a week": volume({ period: "7d" }),
    "volume of a day": volume({ period: "24h" }),
    "events of a day": () => countEventsSince(workspaceId, new Date(Date.now() - 86_400_000)),
  };
}

async function askLists(size: number): Promise<Asked> {
  const { workspaceId, sourceId } = await makeWorkspace();
  const run = `s${size}`;
  say(`${size.toLocaleString("en")} events, filled in ${await seconds(() => fillLog({ workspaceId, sourceId, events: size, run }))} s`);
  await pool().query("SELECT ensure_search_partitions((current_date - 31)::date, 3)");
  say(`  filed for the search in ${await seconds(() => fileLog(workspaceId, unhurried))} s`);
  while (await countHours());
  await failOldest(workspaceId, 40);
  const record = (n: number) => `doc_${run}_${Math.floor(spread(size, n) / 5)}`;
  const list = (filter: (n: number) => EventFilter) => (n: number) =>
    untilCut(listEvents(workspaceId, filter(n), { limit: 50, now: new Date() }));
  const lists = Object.entries(questionsOf(run, size)).map(([name, filter]) => [name, list(filter)] as const);
  return {
    "the log's first page": () => listEvents(workspaceId, {}, { limit: 50, now: new Date() }),
    "a day's first page": () =>
      listEvents(workspaceId, { to: new Date(Date.now() - 9 * 86_400_000).toISOString() }, { limit: 50, now: new Date() }),
    ...(Object.fromEntries(lists) as Asked),
    "events of a record": (n) => listResourceEvents(workspaceId, "document", record(n), 50),
    "a record as of a moment": (n) => readView(workspaceId, "document", record(n), new Date().toISOString()),
    "event page": (n) => readEvent(workspaceId, `evt_${run}_${spread(size, n)}`),
    "volume of the log": () => readVolume(workspaceId, {}, new Date()),
    "volume of a rare search": (n) => readVolume(workspaceId, { q: record(n) }, new Date()),
    "volume of a search for 1 in 400": () => readVolume(workspaceId, { q: "data.status:failed" }, new Date()),
    "volume of a frequent search that failed": () => readVolume(workspaceId, { q: "invoice", state: ["failed"] }, new Date()),
    "volume of a frequent search": () => readVolume(workspaceId, { q: "invoice" }, new Date()),
  };
}

/** A search that takes too long is cut, and says how to narrow it: its time is its limit. */
function untilCut(page: Promise<unknown>): Promise<unknown> {
  return page.catch((error: { code?: string }) => {
    if (error.code !== "search_too_slow") throw error;
  });
}

/** Asks in turns of all sizes, so that whatever else the machine does is the same for each. */
async function report(prepared: Asked[]): Promise<void> {
  for (const name of Object.keys(prepared[0] ?? {})) {
    const took = prepared.map(() => [] as number[]);
    for (let n = -10; n < Number(values.runs); n += 1)
      for (const [index, asked] of prepared.entries()) {
        const [ms = 0] = await timings(1, () => asked[name]?.(Math.abs(n)) ?? Promise.resolve());
        if (n >= 0) took[index]?.push(ms);
      }
    const words = took.map((ms) => `p50 ${percentile(ms, 0.5).toFixed(1)}, p95 ${percentile(ms, 0.95).toFixed(1)} ms`);
    const [base = 1, last = 1] = [took[0] ?? [], took.at(-1) ?? []].map((ms) => percentile(ms, 0.95));
    say(`  ${name.padEnd(30)} ${words.join("; ")}; p95 ${(last / base).toFixed(2)} times`);
  }
}
