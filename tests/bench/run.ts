import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { resetEnv } from "#lib/config/env";
import { startEmbeddedPostgres } from "#lib/db/embedded-postgres";
import { migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { processEvents } from "#lib/flows/process-events";
import { TEST_ENV } from "#tests/support/environment";
import { makeOpenFolder } from "#tests/support/open-folder";
import { makeWorkspace, SECRET } from "#tests/support/webhooks";

// `npm run bench`: the receiver's native door beside the limit of this machine,
// in turns on one database, so that noise strikes both; then the worker.

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "64" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
type Result = { perSecond: number; p50: number; p99: number; answers: Record<string, number> };

const folder = makeOpenFolder("signalbox-bench-");
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: true });
resetEnv({ ...TEST_ENV, DATABASE_URL: postgres.url });
await migrate(postgres.url);
const { workspaceId, sourceId } = await makeWorkspace("bench");

const servers = { limit: await serve("limit"), door: await serve("door") };
const results: Record<keyof typeof servers, Result[]> = { limit: [], door: [] };
say(`receiver: 1 KB bodies, ${values.connections} connections, ${values.rounds} rounds of ${values.seconds} s in turns`);
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const kind of ["limit", "door"] as const) {
    const result = await load(servers[kind].port, Number(values.connections), Number(values.seconds), `${kind}${round}`);
    results[kind].push(result);
    say(
      `  ${kind.padEnd(5)} ${result.perSecond.toFixed(0)} durable events/s, p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, answers ${JSON.stringify(result.answers)}`,
    );
    await pool().query("TRUNCATE events, event_keys, inbox");
  }
}
const median = (kind: keyof typeof servers, of: "perSecond" | "p50" | "p99") =>
  results[kind].map((result) => result[of]).sort((a, b) => a - b)[Math.floor(results[kind].length / 2)] ?? 0;
say(
  `  ratio of medians: throughput ${(median("door", "perSecond") / median("limit", "perSecond")).toFixed(2)}, p99 ${(median("door", "p99") / median("limit", "p99")).toFixed(2)}`,
);
for (const kind of ["limit", "door"] as const) {
  const alone = await load(servers[kind].port, 1, 3, `${kind}alone`);
  say(`  one connection through ${kind}: p50 ${alone.p50.toFixed(2)} ms`);
}

say("worker: from the inbox into views");
await pool().query("TRUNCATE events, event_keys, inbox");
await load(servers.door.port, 64, 4, "worker");
const { rows } = await pool().query<{ n: number }>("SELECT count(*) AS n FROM inbox");
const started = performance.now();
while ((await processEvents()) > 0);
say(
  `  ${rows[0]?.n} events applied at ${((rows[0]?.n ?? 0) / ((performance.now() - started) / 1000)).toFixed(0)} events/s by one worker alone`,
);

for (const { child } of Object.values(servers)) child.disconnect();
await closePools();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);

async function serve(kind: "limit" | "door"): Promise<{ port: number; child: ChildProcess }> {
  const child = fork(path.join(import.meta.dirname, "server.ts"));
  child.send({ kind, secret: SECRET, workspaceId, sourceId });
  const { port } = await message<{ port: number }>(child);
  return { port, child };
}

async function load(port: number, connections: number, seconds: number, run: string): Promise<Result> {
  const child = fork(path.join(import.meta.dirname, "load.ts"));
  child.send({ port, secret: SECRET, connections, seconds, bytes: 1024, run });
  return message<Result>(child);
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => child.once("message", (value) => resolve(value as T)));
}
