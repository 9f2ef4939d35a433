import { type ChildProcess, fork } from "node:child_process";
import { existsSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { resetEnv } from "#lib/config/env";
import { migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { TEST_ENV } from "#tests/support/environment";
import { fillLog } from "#tests/support/large-log";
import { makeOpenFolder } from "#tests/support/open-folder";
import { rebuild } from "#tests/support/rebuild";
import { makeWorkspace } from "#tests/support/webhooks";
import { load, type Result, say, startServer } from "./harness.ts";

// `npm run bench -- backup`: a backup of a large log by the command, how it
// disturbs the receiver, and its restore by the command into an empty built-in
// database and into an empty one of DATABASE_URL.

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1000000" },
    rate: { type: "string", default: "200" },
    filed: { type: "string", default: "100000" },
  },
});
const [events, rate, filed] = [Number(values.events), Number(values.rate), Number(values.filed)];
const folder = makeOpenFolder("signalbox-bench-backup-");
const file = path.join(folder, "bench.backup");
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: true });
const environment: NodeJS.ProcessEnv = { ...process.env, ...TEST_ENV, NODE_ENV: "test", DATABASE_URL: postgres.url };
resetEnv({ ...TEST_ENV, DATABASE_URL: postgres.url });
await migrate(postgres.url);
try {
  await fill();
  await backUpUnderLoad();
  await restoreBoth();
} finally {
  await closePools();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function fill(): Promise<void> {
  const place = await makeWorkspace("bench");
  const since = performance.now();
  await fillLog({ ...place, events });
  await rebuild(place.workspaceId);
  for (let done = 0, step = 1; done < filed && step > 0; done += step) step = await indexEvents();
  const { rows } = await pool().query<{ mb: number }>("SELECT pg_database_size(current_database()) / 1000000 AS mb");
  say(
    `log of ${events} events with its records made, ${filed} of them filed for search, in ${seconds(since)} s: ${rows[0]?.mb} MB on the server`,
  );
}

async function backUpUnderLoad(): Promise<void> {
  const { rows } = await pool().query<{ workspaceId: string; sourceId: string }>(
    `SELECT workspace_id AS "workspaceId", id AS "sourceId" FROM sources`,
  );
  const server = await startServer("native", rows[0] as never, postgres.url);
  const send = (run: string, forSeconds: number) => load({ port: server.port, connections: 8, seconds: forSeconds, perSecond: rate, run });
  await send("warm", 5);
  say(`  receiver alone, ${rate} a second:   ${words(await send("alone", 20))}`);
  const since = performance.now();
  const ended = run("backup", [file], environment);
  const rounds: Result[] = [];
  let open = true;
  void ended.then(() => {
    open = false;
  });
  while (open) rounds.push(await send(`during${rounds.length}`, 5));
  const { code, output } = await ended;
  say(`  backup: exit ${code} after ${seconds(since)} s`);
  say(indented(output, 5));
  if (existsSync(file)) say(`  file: ${(statSync(file).size / 1_000_000).toFixed(1)} MB`);
  for (const round of rounds) say(`  receiver during it, 5 s each:     ${words(round)}`);
  server.stop();
}

async function restoreBoth(): Promise<void> {
  await restore("an empty built-in database", { ...environment, DATA_DIR: path.join(folder, "restored"), DATABASE_URL: "" });
  await pool().query("CREATE DATABASE elsewhere");
  const url = new URL(postgres.url);
  url.pathname = "/elsewhere";
  await restore("an empty database of DATABASE_URL", { ...environment, DATABASE_URL: url.href });
}

async function restore(into: string, env: NodeJS.ProcessEnv): Promise<void> {
  const since = performance.now();
  const { code, output } = await run("restore", [file], env);
  say(`  restore into ${into}: exit ${code} after ${seconds(since)} s`);
  say(indented(output, 6));
  await sleep(1000);
}

function run(command: "backup" | "restore", args: string[], env: NodeJS.ProcessEnv) {
  const child: ChildProcess = fork(path.resolve(import.meta.dirname, `../../lib/processes/backups/${command}.ts`), args, {
    env,
    silent: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise<{ code: number | null; output: string }>((resolve) => child.once("close", (code) => resolve({ code, output })));
}

function indented(text: string, last: number): string {
  const lines = text.trim().split("\n").slice(-last);
  return lines.map((line) => `    ${line.trim()}`).join("\n");
}

function words({ perSecond, p50, p99, answers }: Result): string {
  return `${perSecond.toFixed(0)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${JSON.stringify(answers)}`;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
