import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { resetEnv } from "#lib/config/env";
import { migrate } from "#lib/db/migrate";
import { closePools } from "#lib/db/pool";
import { rebuildViews } from "#lib/flows/views/rebuild-views";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { TEST_ENV } from "#tests/support/environment";
import { figure } from "#tests/support/figure";
import { fillLog } from "#tests/support/large-log";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeOpenFolder } from "#tests/support/open-folder";
import { randomEvents, shuffledWithRepeats } from "#tests/support/random-events";
import { makeWorkspace } from "#tests/support/webhooks";
import { emptyLog, load, type Result, say, startServer } from "./harness.ts";

// `npm run bench -- rebuild`: a rebuild of a large log, how it disturbs the
// receiver, and a hash for a hash after a run of shuffled and repeated events.

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1000000" },
    shuffled: { type: "string", default: "100000" },
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "30" },
    rest: { type: "string", default: "1" },
  },
});
const [events, shuffled, rate, seconds] = [values.events, values.shuffled, values.rate, values.seconds].map(Number) as [
  number,
  number,
  number,
  number,
];

const folder = makeOpenFolder("signalbox-rebuild-");
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: true });
resetEnv({ ...TEST_ENV, DATABASE_URL: postgres.url });
await migrate(postgres.url);
if (shuffled > 0) await compareShuffled();
if (events > 0) await rebuildLarge();
await closePools();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);

/** Shuffled and repeated events through the log's own store and four workers; then the log folded anew. */
async function compareShuffled(): Promise<void> {
  const { workspaceId, sourceId } = await makeWorkspace("shuffled");
  const sent = shuffledWithRepeats(randomEvents(shuffled, 18), 0.3, 18);
  const since = performance.now();
  await append(workspaceId, sourceId, sent);
  await drainInbox(4);
  say(`shuffled: ${sent.length} deliveries of ${shuffled} events appended and applied in ${seconds1(since)} s`);
  const result = await rebuildViews(workspaceId, {
    dryRun: true,
    rest: 0,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  if (result.outcome !== "finished") throw new Error("it was stopped");
  const { kinds, missing, surplus, different, ms } = result.report;
  for (const { kind, live, rebuilt } of kinds)
    say(
      `  ${kind.padEnd(12)} ${String(rebuilt.records).padStart(7)} records  live ${live.hash.slice(0, 16)}  rebuilt ${rebuilt.hash.slice(0, 16)}`,
    );
  const equal = kinds.every(({ live, rebuilt }) => live.hash === rebuilt.hash) && missing + surplus + different === 0;
  figure(
    `${shuffled} events, shuffled, 30% repeated, 4 workers: live ${equal ? "=" : "DIFFERS FROM"} rebuilt by hash in all ${kinds.length} kinds; folded in ${ms.folding} ms`,
  );
  await emptyLog();
}

async function rebuildLarge(): Promise<void> {
  const place = await makeWorkspace("bench");
  const since = performance.now();
  await fillLog({ ...place, events });
  say(`log of ${events} events filled in ${seconds1(since)} s`);
  const server = await startServer("native", place, postgres.url);
  const send = (run: string, forSeconds: number) => load({ port: server.port, connections: 8, seconds: forSeconds, perSecond: rate, run });
  await send("warm", 5);
  const alone = await send("alone", seconds);
  say(`  receiver alone, ${rate} a second:          ${words(alone)}`);
  await runRebuild(place.workspaceId, "first", "0", (forSeconds) => send("first", forSeconds));
  await runRebuild(place.workspaceId, "resting", values.rest, (forSeconds) => send("resting", forSeconds));
  server.stop();
}

/** A rebuild in a process of its own, as the worker or the command line runs it, with the receiver under load. */
async function runRebuild(workspaceId: string, name: string, rest: string, send: (seconds: number) => Promise<Result>): Promise<void> {
  const child = fork(
    path.resolve(import.meta.dirname, "../../lib/processes/views-rebuild.ts"),
    ["--workspace", workspaceId, "--rest", rest],
    {
      env: { ...process.env, ...TEST_ENV, NODE_ENV: "test", DATABASE_URL: postgres.url },
      silent: true,
    },
  );
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const since = performance.now();
  const ended = exitOf(child).then((code) => ({ code, took: seconds1(since) }));
  const during = await send(seconds);
  const { code, took } = await ended;
  say(`  ${name} rebuild, resting ${rest} times its work: ${took} s, exit ${code}`);
  for (const line of output.trim().split("\n").slice(-16)) say(`    ${line.trim()}`);
  say(`  receiver during it, first ${seconds} s:      ${words(during)}`);
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}

function words({ perSecond, p50, p99, answers }: Result): string {
  return `${perSecond.toFixed(0)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${JSON.stringify(answers)}`;
}

/** Seconds since, with one decimal. */
function seconds1(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
