import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { figure } from "#tests/support/figure";
import { makeOpenFolder } from "#tests/support/open-folder";
import { startBalancer } from "./balancer.ts";
import { check, isClean } from "./checker.ts";
import { FeedWatcher } from "./feed-watcher.ts";
import { externalSecrets, Installation } from "./installation.ts";
import { addOtherSenders } from "./other-senders.ts";
import { SteadySender } from "./steady-sender.ts";

// `npm run chaos -- rolling`: two installations on one database are restarted in
// turn, in good order, while webhooks come to both and feeds are open on both.
// Each must be gone within 10 s, and afterwards log, views and every feed hold
// every acknowledged event. With `--proxy` HAProxy stands before both, and no webhook may be answered anything but 200.

const { values } = parseArgs({
  options: {
    restarts: { type: "string", default: "10" },
    feeds: { type: "string", default: "50" },
    rate: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    proxy: { type: "boolean", default: false },
  },
});
const [restarts, feeds, rate, seed] = [values.restarts, values.feeds, values.rate, values.seed].map(Number) as [
  number,
  number,
  number,
  number,
];
const MAX_MS = 10_000;
const say = (line: string) => void process.stdout.write(`${line}\n`);

const dataDir = makeOpenFolder("signalbox-rolling-");
const database = await startEmbeddedPostgres({ directory: path.join(dataDir, "postgres"), port: 0 });
const secrets = externalSecrets();
const [a, b] = [install("a"), install("b")];
say(`rolling: ${restarts} restarts, ${feeds} feeds, ${rate} events a second, seed ${seed}`);
say(`  ready after ${(await a.start()).toFixed(0)} and ${(await b.start()).toFixed(0)} ms`);
await addOtherSenders(a);

const watchers = Array.from({ length: feeds }, (_, n) => new FeedWatcher(n % 2 === 0 ? [a.url, b.url] : [b.url, a.url], a.apiKey));
await Promise.all(watchers.map((watcher) => watcher.open()));
const balancer = values.proxy ? await startBalancer(dataDir, [a.port, b.port]) : null;
const sender = new SteadySender(balancer ? [balancer.url] : [a.url, b.url], { rate, seed, secret: a.secret });
const { acknowledged, sent } = sender;
const stops: number[] = [];
for (let restart = 0; restart < restarts; restart += 1) {
  await pause(1000);
  const one = restart % 2 === 0 ? a : b;
  const ms = await one.stop();
  stops.push(ms);
  const before = acknowledged.size;
  say(
    `  restart ${restart + 1}: ended after ${ms.toFixed(0)} ms, ready again after ${(await one.start()).toFixed(0)} ms; ${acknowledged.size - before} acknowledged by the other meanwhile`,
  );
}
await pause(1000);
await sender.end();
balancer?.end();
const findings = await check(database.url, sent, acknowledged);
const missing = await untilShown();
const shownTwice = watchers.reduce((sum, { seen }) => sum + [...seen.values()].filter((times) => times > 1).length, 0);
const resumed = watchers.reduce((sum, watcher) => sum + watcher.resumed, 0);
await Promise.all(watchers.map((watcher) => watcher.close()));
stops.push(await a.stop(), await b.stop());
await database.stop();

for (const [name, count] of Object.entries(findings)) say(`  ${name}: ${count}`);
const slowest = Math.max(...stops);
const refused = balancer ? sender.missed : 0;
const clean = isClean(findings) && refused === 0 && findings.acknowledged === sent.length && missing === 0 && slowest < MAX_MS;
figure(
  `${restarts} rolling restarts${balancer ? " behind HAProxy" : ""} at ${rate} events/s with ${feeds} open feeds (seed ${seed}): ${findings.acknowledged} acknowledged, ${sender.missed} sent again, lost ${findings.lost}, effects doubled ${findings.appliedTwice}; slowest exit ${slowest.toFixed(0)} ms; feeds resumed ${resumed} times, events missing in a feed ${missing}, shown twice ${shownTwice}`,
);
say(clean ? "nothing was lost, each exit within 10 s" : `FAILED: run it again with --seed ${seed}`);
if (clean) rmSync(dataDir, { recursive: true, force: true });
else say(`the data is in ${dataDir}`);
process.exit(clean ? 0 : 1);

function install(name: string): Installation {
  const folder = path.join(dataDir, name);
  mkdirSync(folder);
  return new Installation(folder, { environment: { DATABASE_URL: database.url, ...secrets } });
}

/** Waits until every feed has shown everything, half a minute at most. @returns how much is missing over all feeds */
async function untilShown(): Promise<number> {
  const count = () => watchers.reduce((sum, { seen }) => sum + [...acknowledged.keys()].filter((id) => !seen.has(id)).length, 0);
  for (const end = Date.now() + 30_000; Date.now() < end && count() > 0; ) await pause(500);
  return count();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
