import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { figure } from "#tests/support/figure";
import { makeOpenFolder } from "#tests/support/open-folder";
import { check, isClean, listLost } from "../checker.ts";
import { FeedWatcher } from "../feed-watcher.ts";
import { externalSecrets, Installation } from "../installation.ts";
import { addOtherSenders } from "../other-senders.ts";
import { SteadySender } from "../steady-sender.ts";
import { Cluster } from "./cluster.ts";

// `npm run chaos -- ha`: two installations on a Patroni cluster behind HAProxy, while its primary is killed, frozen and
// switched over. With `--asynchronous` commits don't wait for a standby: then acknowledged events may be lost, and the
// run must find them. With `--lenient` they wait only while there is one that could confirm them (Patroni without
// `synchronous_mode_strict`): a primary that was frozen and comes back may take over again and undo what its successor
// acknowledged alone.

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "10" },
    switchovers: { type: "string", default: "5" },
    freezes: { type: "string", default: "1" },
    feeds: { type: "string", default: "10" },
    rate: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    asynchronous: { type: "boolean", default: false },
    lenient: { type: "boolean", default: false },
  },
});
const [kills, switchovers, freezes, feeds, rate, seed] = (["kills", "switchovers", "freezes", "feeds", "rate", "seed"] as const).map(
  (name) => Number(values[name]),
) as [number, number, number, number, number, number];
/** Longer than the leader's lease of 10 s: another node has taken over when it goes on. */
const FREEZE_MS = 15_000;
const SAMPLE_MS = 50;
const say = (line: string) => void process.stdout.write(`${line}\n`);

const folder = makeOpenFolder("signalbox-ha-");
const cluster = new Cluster(folder, { synchronous: !values.asynchronous, strict: !values.asynchronous && !values.lenient });
process.on("exit", () => cluster.end());
await cluster.start();
const secrets = externalSecrets();
const [a, b] = [install("a"), install("b")];
say(`high availability: ${kills} kills, ${switchovers} switchovers, ${freezes} freezes, ${rate} events a second, seed ${seed}`);
say(`  ready after ${(await a.start()).toFixed(0)} and ${(await b.start()).toFixed(0)} ms`);
await addOtherSenders(a);

const watchers = Array.from({ length: feeds }, (_, n) => new FeedWatcher(n % 2 === 0 ? [a.url, b.url] : [b.url, a.url], a.apiKey));
await Promise.all(watchers.map((watcher) => watcher.open()));
const sender = new SteadySender([a.url, b.url], { rate, seed, secret: a.secret });
const gaps: Record<string, number[]> = {};
/** When each disturbance began, to say which one lost something. */
const began: { kind: string; at: number }[] = [];
/** The most connections that a server which was demoted still had once all was well again. */
let left = 0;
await sleep(3000);
for (let n = 0; n < kills; n++) await disturb("kill", () => cluster.killPrimary());
for (let n = 0; n < switchovers; n++) await disturb("switchover", () => cluster.switchOver());
for (let n = 0; n < freezes; n++) await disturb("freeze", () => cluster.freezePrimary(FREEZE_MS));
await sender.end();

const findings = await check(cluster.url, sender.sent, sender.acknowledged);
const lost = findings.lost === 0 ? [] : await listLost(cluster.url, sender.acknowledged);
const missing = await untilShown();
const resumed = watchers.reduce((sum, watcher) => sum + watcher.resumed, 0);
await Promise.all(watchers.map((watcher) => watcher.close()));
const rebuild = await a.rebuildsTheSame();
await a.stop();
await b.stop();
cluster.end();

for (const [name, count] of Object.entries(findings)) say(`  ${name}: ${count}`);
sayWhenLost(lost);
say(`  rebuilt from the log: ${rebuild.same ? "the same, by hash" : `not the same\n${rebuild.printed}`}`);
say(`  connections left at a standby: ${left}; missing in a feed: ${missing}; feeds resumed ${resumed} times`);
const longest = Object.entries(gaps).map(([kind, all]) => `${kind} ${(Math.max(...all) / 1000).toFixed(1)} s`);
const clean = isClean(findings) && rebuild.same && missing === 0 && left === 0;
figure(
  `${kills} kills, ${switchovers} switchovers and ${freezes} freezes of the primary at ${rate} events/s${values.asynchronous ? ", asynchronous" : ""} (seed ${seed}): ${findings.acknowledged} acknowledged, lost ${findings.lost}, stored twice ${findings.storedTwice}; longest without an acknowledgement: ${longest.join(", ")}`,
);
if (values.asynchronous) say(clean ? "FAILED: nothing was lost although commits didn't wait for a standby" : "the run saw what was lost");
else say(clean ? "nothing acknowledged was lost" : `FAILED: run it again with --seed ${seed}`);
if (clean) rmSync(folder, { recursive: true, force: true });
else say(`the logs of the cluster are in ${folder}`);
process.exit(clean === values.asynchronous ? 1 : 0);

function install(name: string): Installation {
  const data = path.join(folder, name);
  mkdirSync(data);
  return new Installation(data, { environment: { DATABASE_URL: cluster.url, ...secrets } });
}

/** One disturbance, until webhooks are acknowledged again and both installations say that they are ready. */
async function disturb(kind: string, work: () => Promise<void>): Promise<void> {
  began.push({ kind, at: Date.now() });
  let longest = 0;
  let over = false;
  let unready = false;
  const watching = (async () => {
    let [count, since] = [sender.acknowledged.size, performance.now()];
    for (let round = 0; !over; round++, await sleep(SAMPLE_MS)) {
      if (sender.acknowledged.size > count) [count, since] = [sender.acknowledged.size, performance.now()];
      longest = Math.max(longest, performance.now() - since);
      if (round % 10 === 0) unready ||= (await fetch(`${a.url}/health/ready`).catch(() => null))?.status === 503;
    }
  })();
  await work();
  await cluster.whole();
  const readyAfter = Math.max(await a.ready(), await b.ready());
  const before = sender.acknowledged.size;
  while (sender.acknowledged.size === before) await sleep(SAMPLE_MS);
  over = true;
  await watching;
  left = Math.max(left, await cluster.countOnStandbys());
  gaps[kind] = [...(gaps[kind] ?? []), longest];
  say(
    `  ${kind}: ${(longest / 1000).toFixed(1)} s without an acknowledgement, readiness said so: ${unready ? "yes" : "no"}; whole again, and ready ${readyAfter.toFixed(0)} ms later`,
  );
  await sleep(2000);
}

/** Says which disturbance lost the acknowledged events that are not in the log, and how long after its beginning they were acknowledged. */
function sayWhenLost(ids: string[]): void {
  const times = ids.map((id) => sender.acknowledged.firstAt.get(id) ?? 0);
  for (const [n, { kind, at }] of began.entries()) {
    const end = began[n + 1]?.at ?? Number.POSITIVE_INFINITY;
    const here = times.filter((time) => time >= at && time < end).map((time) => (time - at) / 1000);
    if (here.length > 0)
      say(
        `  lost after disturbance ${n + 1}, a ${kind} at ${new Date(at).toISOString()}: ${here.length}, acknowledged ${Math.min(...here).toFixed(1)} to ${Math.max(...here).toFixed(1)} s after its beginning`,
      );
  }
}

/** Waits until every feed has shown everything, half a minute at most. @returns how much is missing over all feeds */
async function untilShown(): Promise<number> {
  const count = () => watchers.reduce((sum, { seen }) => sum + [...sender.acknowledged.keys()].filter((id) => !seen.has(id)).length, 0);
  for (const end = Date.now() + 30_000; Date.now() < end && count() > 0; ) await sleep(500);
  return count();
}
