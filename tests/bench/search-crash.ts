import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { resetEnv } from "#lib/config/env";
import type { EventFilter } from "#lib/contracts/events/events";
import { migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { indexEvents, workSearchIndex } from "#lib/flows/events/index-for-search";
import { workInbox } from "#lib/flows/processing/process-events";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { findPostmaster } from "#lib/installation/embedded/postmaster";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { processStart } from "#lib/installation/process-lock";
import { TEST_ENV } from "#tests/support/environment";
import { fillLog } from "#tests/support/large-log";
import { append } from "#tests/support/log-writer";
import { makeOpenFolder } from "#tests/support/open-folder";
import { makeWorkspace } from "#tests/support/webhooks";
import { percentile, say, timings } from "./harness.ts";
import { questionsOf } from "./questions.ts";

// `npm run bench -- search-crash`: what the search costs that is not in the write-ahead log, and what a crash of the database costs
// it: the first answer, filing all again alone and beside live traffic, searches before and after, and a month given a log.

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1000000" },
    runs: { type: "string", default: "60" },
    live: { type: "string", default: "200" },
    minutes: { type: "string", default: "1" },
    /** While this file exists it pauses. */
    pause: { type: "string", default: "" },
  },
});
const [events, runs, perSecond, minutes] = [values.events, values.runs, values.live, values.minutes].map(Number) as [
  number,
  number,
  number,
  number,
];
/** Searches run twice for half a minute after all is filed again (coverage-store.ts). */
const TOUCHED_MS = 31_000;

const folder = makeOpenFolder("signalbox-search-crash-");
const directory = path.join(folder, "postgres");
let postgres = await startEmbeddedPostgres({ directory, port: 0, durable: true });
resetEnv({ ...TEST_ENV, DATABASE_URL: postgres.url });
await migrate(postgres.url);
const place = await makeWorkspace("bench");
const { workspaceId, sourceId } = place;

/** Time since 1970 that was not spent pausing, in milliseconds. */
let paused = 0;
const clock = () => performance.now() - paused;
async function whilePaused(): Promise<void> {
  const since = performance.now();
  while (values.pause !== "" && existsSync(values.pause)) await sleep(1000);
  paused += performance.now() - since;
}

async function logged(): Promise<number> {
  return Number((await pool().query<{ at: string }>("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS at")).rows[0]?.at);
}

/** Says how long work on some events took, and what it wrote to the write-ahead log. */
async function measured(what: string, count: number, work: () => Promise<unknown>): Promise<void> {
  const [since, before] = [clock(), await logged()];
  await work();
  const seconds = (clock() - since) / 1000;
  const bytes = ((await logged()) - before) / count;
  say(
    `  ${what}: ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} events/s, ${bytes.toFixed(0)} bytes of write-ahead log an event`,
  );
}

async function unhurried<T extends object>(...statements: string[]): Promise<T[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  let rows: T[] = [];
  for (const statement of statements) rows = (await client.query<T>(statement)).rows;
  await client.end();
  return rows;
}

const list = (filter: EventFilter) => listNamedEvents(workspaceId, filter, { limit: 50, now: new Date() });

async function ask(when: string): Promise<void> {
  await unhurried("VACUUM (ANALYZE) event_search");
  const questions = questionsOf("big", events);
  for (const name of ["text: a word in one scenario", "text: a word in every event", "text: a word in one of 997"]) {
    await whilePaused();
    const filter = questions[name];
    if (!filter) throw new Error(`no question is named ${name}`);
    await timings(3, (run) => list(filter(run)));
    const took = await timings(runs, (run) => list(filter(run)));
    say(`  ${when}, ${name}: p50 ${percentile(took, 0.5).toFixed(1)} ms, p95 ${percentile(took, 0.95).toFixed(1)} ms`);
  }
}

async function crash(): Promise<void> {
  const found = findPostmaster(postgres.directory);
  if (!found) throw new Error("no server runs");
  process.kill(found.pid, "SIGQUIT");
  while (processStart(found.pid) !== null) await sleep(5);
  postgres = await startEmbeddedPostgres({ directory, port: postgres.port, durable: true });
  const since = performance.now();
  for (;;) {
    const answer = await list({ q: "invoice" }).catch(() => null);
    if (answer)
      say(
        `  crash; first answer ${(performance.now() - since).toFixed(0)} ms after the server's start: ${JSON.stringify(answer.searchedBackTo)}`,
      );
    if (answer) return;
    await sleep(10);
  }
}

async function refileAll(): Promise<void> {
  while (await workSearchIndex()) await whilePaused();
}

let since = clock();
await unhurried("SELECT ensure_search_partitions((current_date - 31)::date, 3)");
await fillLog({ ...place, events });
say(`search-crash: ${events.toLocaleString("en")} events, filled in ${((clock() - since) / 1000).toFixed(0)} s`);
await measured("filed for the first time", events, async () => {
  while ((await indexEvents()) > 0) await whilePaused();
});
await ask("before");

await crash();
since = clock();
await workSearchIndex();
const { data, searchedBackTo } = await list({ q: "invoice" });
say(`  first ${data.length} results ${(clock() - since).toFixed(0)} ms after a worker began, ${JSON.stringify(searchedBackTo)}`);
await measured("filed again, alone", events - 500, refileAll);
await sleep(TOUCHED_MS);
await ask("after");

await crash();
let [stored, end] = [0, false];
const busy = [
  (async () => {
    for (const began = performance.now(); !end; await sleep(20)) {
      const due = Math.floor(((performance.now() - began) / 1000) * perSecond) - stored;
      const next = Array.from({ length: Math.max(0, due) }, (_, n) => stored + n);
      const data = (n: number) => ({ documentId: `doc_live_${n % 5000}`, fileName: `Invoice ${n}.pdf`, note: "n".repeat(600) });
      await append(
        workspaceId,
        sourceId,
        next.map((n) => ({ eventId: `evt_live_${n}`, type: "document.uploaded", created: 1_760_000_000, data: data(n) })),
      );
      stored += next.length;
    }
  })(),
  (async () => {
    while (!end) if (!(await workInbox())) await sleep(20);
  })(),
];
const waiting = async () => (await list({ q: "invoice" })).searchedBackTo?.eventsWaiting ?? 0;
const [before, began] = [await waiting(), performance.now()];
while (performance.now() - began < minutes * 60_000 && (await workSearchIndex()));
const tookS = (performance.now() - began) / 1000;
const { rows } = await pool().query<{ n: number }>(
  "SELECT count(*) AS n FROM event_search WHERE received_at < now() - interval '1 second' * $1",
  [tookS + 5],
);
end = true;
await Promise.all(busy);
say(
  `  filed again beside ${perSecond} events/s: ${((rows[0]?.n ?? 0) / tookS).toFixed(0)} events/s; waiting about ${before.toLocaleString("en")} before; ${stored} live events stored in ${tookS.toFixed(0)} s`,
);
await refileAll();

const months = await unhurried<{ name: string; n: string }>(
  `SELECT tableoid::regclass::text AS name, count(*)::text AS n FROM event_search GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
);
const [month] = months;
if (month) {
  const count = Number(month.n);
  await whilePaused();
  await measured(`${month.name} copied beside it with its index built in one go`, count, () =>
    unhurried(
      "SET maintenance_work_mem = '256MB'",
      `CREATE TABLE closed (LIKE ${month.name} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
      `INSERT INTO closed SELECT * FROM ${month.name}`,
      "ALTER TABLE closed ADD PRIMARY KEY (workspace_id, received_at, seq)",
      "CREATE INDEX ON closed USING gin (terms)",
      "DROP TABLE closed",
    ),
  );
  await whilePaused();
  await measured(`${month.name} SET LOGGED`, count, () =>
    unhurried("SET maintenance_work_mem = '256MB'", `ALTER TABLE ${month.name} SET LOGGED`),
  );
}
await closePools();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
