import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { makeOpenFolder } from "#tests/support/open-folder";
import { EVERYTHING_WAITING } from "#tests/support/waiting";
import { externalSecrets, Installation } from "../chaos/installation.ts";
import { load, percentile, type Result, say, startBareServer } from "./harness.ts";

// `npm run bench -- burst`: what a whole installation acknowledges while its worker
// and its search work, beside the bare server, in turns on one PostgreSQL server.
// `--minutes 10 --share 0.2` then sends at that share of what the bare server
// took and shows how far the worker is behind; `--rounds 0` leaves the bursts out.

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "10" },
    connections: { type: "string", default: "64" },
    documents: { type: "string", default: "5000" },
    minutes: { type: "string", default: "0" },
    share: { type: "string", default: "0.5" },
  },
});
const [rounds, seconds, connections, documents, minutes, share] = [
  values.rounds,
  values.seconds,
  values.connections,
  values.documents,
  values.minutes,
  values.share,
].map(Number) as [number, number, number, number, number, number];
const LOOK_MS = 15_000;
/** A burst follows on calm; what comes sooner is a load that lasts (receive-first.ts). */
const CALM_MS = 11_000;

const folder = makeOpenFolder("signalbox-burst-");
mkdirSync(path.join(folder, "data"));
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: true });
const secrets = externalSecrets();
const installation = new Installation(path.join(folder, "data"), {
  environment: { DATABASE_URL: postgres.url, SANDBOX: "off", ...secrets },
});
await installation.start();
const look = new pg.Client({ connectionString: postgres.url, application_name: "bench" });
await look.connect();
await look.query("CREATE DATABASE bare");
const bareServer = await startBareServer(Object.assign(new URL(postgres.url), { pathname: "/bare" }).href);

const bareTarget = { port: bareServer.port, path: "/" };
const target = { port: Number(new URL(installation.url).port), path: "/webhooks/platform", secret: installation.secret };
const burstOf = (kind: "bare" | "whole", run: string) =>
  load({ ...(kind === "bare" ? bareTarget : target), connections, documents, seconds, run: `${kind}${run}` });

/** Until everything is applied and filed for the search. */
async function quiet(): Promise<void> {
  for (;;) {
    const { rows } = await look.query<{ busy: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM ${EVERYTHING_WAITING} w) OR (SELECT count(*) FROM events) > (SELECT count(*) FROM event_search) AS busy`,
    );
    if (!rows[0]?.busy) return;
    await sleep(1000);
  }
}

const wordsOf = ({ perSecond, p99, answers }: Result) =>
  `${perSecond.toFixed(0)} a second, p99 ${p99.toFixed(1)} ms, answers ${JSON.stringify(answers)}`;

say(`burst: ${connections} connections, events of 1 KB over ${documents} documents`);
await burstOf("bare", "warm");
await burstOf("whole", "warm");
await quiet();
await sleep(CALM_MS);
const pairs: Record<"bare" | "whole", Result>[] = [];
for (let round = 0; round < rounds; round += 1) {
  const pair: Partial<Record<"bare" | "whole", Result>> = {};
  for (const kind of round % 2 === 0 ? (["bare", "whole"] as const) : (["whole", "bare"] as const)) {
    const result = await burstOf(kind, String(round));
    pair[kind] = result;
    say(`  ${kind.padEnd(5)} ${wordsOf(result)}`);
    const since = performance.now();
    await quiet();
    if (kind === "whole") say(`        applied and searchable ${((performance.now() - since) / 1000).toFixed(0)} s after its end`);
    await sleep(CALM_MS);
  }
  pairs.push(pair as Record<"bare" | "whole", Result>);
}
if (rounds > 0) {
  const ratio = (of: "perSecond" | "p99") =>
    percentile(
      pairs.map(({ bare, whole }) => whole[of] / bare[of]),
      0.5,
    ).toFixed(2);
  say(`  against bare, median of ${rounds} rounds: throughput ${ratio("perSecond")}, p99 ${ratio("p99")}`);
}
if (minutes > 0) await sustain();
bareServer.stop();
await look.end();
await installation.stop();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);

/** Sends at a steady rate and looks how many events are not applied yet. */
async function sustain(): Promise<void> {
  const most = await burstOf("bare", "most");
  const perSecond = Math.floor(most.perSecond * share);
  say(`sustained: ${share} of the bare server's ${most.perSecond.toFixed(0)} events/s is ${perSecond}/s, for ${minutes} minutes`);
  const behind = async () => {
    const { rows } = await look.query<{ behind: string }>(
      "SELECT (SELECT last_value FROM events_seq) - coalesce(sum(events) FILTER (WHERE state = 'applied'), 0) AS behind FROM log_ranges",
    );
    return Number(rows[0]?.behind);
  };
  const first = await behind();
  const lags: number[] = [];
  const timer = setInterval(async () => {
    lags.push((await behind()) - first);
    if (lags.length % 4 === 0) say(`  after ${(lags.length * LOOK_MS) / 1000} s: ${lags.at(-1)} behind`);
  }, LOOK_MS);
  const result = await load({ ...target, connections, documents, seconds: minutes * 60, run: "steady", perSecond });
  clearInterval(timer);
  const since = performance.now();
  await quiet();
  say(`  ${wordsOf(result)}, applied and searchable ${((performance.now() - since) / 1000).toFixed(0)} s after its end`);
  const half = Math.floor(lags.length / 2);
  say(
    `  events behind, median of the first half ${percentile(lags.slice(0, half), 0.5)}, of the second ${percentile(lags.slice(half), 0.5)}`,
  );
}
