import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { mulberry32 } from "#tests/chaos/driver";
import { FeedWatcher } from "#tests/chaos/feed-watcher";
import { externalSecrets, Installation } from "#tests/chaos/installation";
import { addOtherSenders } from "#tests/chaos/other-senders";
import { FaultyProxy } from "#tests/support/faulty-proxy";
import { makeOpenFolder } from "#tests/support/open-folder";
import { check, isClean } from "./checks.ts";
import { DISTURBANCES, rebuildsEnded, type Site } from "./disturbances.ts";
import { MemoryWatch } from "./memory.ts";
import { startNeighbours } from "./neighbours.ts";
import { Sender } from "./sender.ts";
import { startSlowDestinations } from "./slow-destinations.ts";
import { Traffic } from "./traffic.ts";

// `npm run soak`: a whole installation at a steady rate of odd and ordinary
// webhooks while everything happens to it at once: neighbours that ask for much, exports, rebuilds, a dump,
// partitions, rotated secrets, killed processes, silent connections. Afterwards
// log, quarantine, views and feeds are compared with every acknowledgement.

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    rate: { type: "string", default: "200" },
    feeds: { type: "string", default: "3" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    /** Strikes only what contains this text. */
    only: { type: "string", default: "" },
  },
});
const [minutes, rate, feeds, seed] = [values.minutes, values.rate, values.feeds, values.seed].map(Number) as [
  number,
  number,
  number,
  number,
];
const PAUSE_MS = 5000;
/** A feed that has seen nothing yet has no place to go on from: the first blow waits. */
const CALM_MS = 10_000;
/** Growth that still counts as flat: a quarter and 64 MB. */
const flat = ({ early, late }: { early: number; late: number }) => late <= early * 1.25 + 64;
const say = (line: string) => void process.stdout.write(`${line}\n`);

const folder = makeOpenFolder("signalbox-soak-");
const database = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0 });
const proxy = await FaultyProxy.start(database.url);
const dataDir = path.join(folder, "data");
mkdirSync(dataDir);
const installation = new Installation(dataDir, {
  environment: {
    DATABASE_URL: proxy.url,
    ...externalSecrets(),
    FORWARD_ALLOW: "127.0.0.1/32",
  },
});
say(`soak: ${minutes} minutes at ${rate} webhooks a second, seed ${seed}`);
say(`  ready after ${((await installation.start()) / 1000).toFixed(1)} s`);
await addOtherSenders(installation);

const destinations = await startSlowDestinations(installation);
let secret = installation.secret;
const sender = new Sender(installation.url, () => secret);
const watchers = Array.from({ length: feeds }, () => new FeedWatcher([installation.url], installation.apiKey));
await Promise.all(watchers.map((watcher) => watcher.open()));
const memory = new MemoryWatch(installation);
const until = Date.now() + minutes * 60_000;
const neighbours = await startNeighbours(installation, sender, until);
const sending = sender.run(new Traffic(seed), rate, minutes * 60_000);
const strikes = await disturb({ installation, proxy, databaseUrl: database.url, useSecret: (given) => (secret = given) });
await sending;
memory.stop();

const findings = await check(database.url, sender.events, sender.quarantined);
const unseen = await untilShown();
const unsent = await untilSent();
await Promise.all(watchers.map((watcher) => watcher.close()));
destinations.close();
await rebuildsEnded(installation);
const rebuilt = await installation.rebuildsTheSame();
say(`  Ctrl-C: everything ended after ${((await installation.stop()) / 1000).toFixed(1)} s`);
await proxy.close();
await database.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(report() ? 0 : 1);

/** Draws one disturbance after the other, two at a time, until the sending is over. @returns how many there were */
async function disturb(site: Site): Promise<number> {
  const random = mulberry32(seed + 1);
  const chosen = DISTURBANCES.filter(({ name }) => name.includes(values.only));
  let struck = 0;
  await sleep(CALM_MS);
  const lane = async (offset: number) => {
    for (let turn = offset; Date.now() < until; turn += 2, await sleep(PAUSE_MS * (0.5 + random()))) {
      // In turn first, so that each happens; then by chance.
      const next = chosen[turn < chosen.length ? turn : Math.floor(random() * chosen.length)];
      if (!next) return;
      struck += 1;
      const outcome = await next.strike(site).catch((error: Error) => `failed: ${error.message}`);
      const minute = ((Date.now() - (until - minutes * 60_000)) / 60_000).toFixed(1);
      say(`  ${minute} min: ${next.name}: ${outcome} (${sender.events.size} acknowledged, ${sender.waiting} waiting)`);
    }
  };
  await Promise.all([lane(0), lane(1)]);
  return struck;
}

/** Waits until every feed has shown every event, a minute at most. @returns how many are missing over all feeds */
async function untilShown(): Promise<number> {
  const count = () => watchers.reduce((sum, { seen }) => sum + [...sender.events.keys()].filter((id) => !seen.has(id)).length, 0);
  for (const end = Date.now() + 60_000; Date.now() < end && count() > 0; ) await sleep(1000);
  return count();
}

/** Waits until the destination that answers at once has got every event, a minute at most. @returns how many are missing */
async function untilSent(): Promise<number> {
  const count = () => [...sender.events.keys()].filter((id) => !destinations.seen.has(id)).length;
  for (const end = Date.now() + 60_000; Date.now() < end && count() > 0; ) await sleep(1000);
  return count();
}

function report(): boolean {
  const { web, worker } = { web: memory.sum("web"), worker: memory.sum("worker") };
  const mb = ({ early, late, highest }: typeof web) =>
    `${early.toFixed(0)} MB early, ${late.toFixed(0)} MB late, at most ${highest.toFixed(0)} MB`;
  say(
    `  ${strikes} disturbances; answers ${JSON.stringify(sender.answers)}; longest time without an acknowledgement ${(sender.longestGapMs / 1000).toFixed(1)} s`,
  );
  for (const [name, count] of Object.entries(findings)) say(`  ${name}: ${count}`);
  say(
    `  unexpected answers: ${sender.unexpected.length}${sender.unexpected
      .slice(0, 5)
      .map((each) => `\n    ${each}`)
      .join("")}`,
  );
  say(`  missing in a feed: ${unseen}`);
  say(`  webhooks: ${neighbours.words()}`);
  say(`  beside slow destinations: ${destinations.words()}; missing ${unsent}`);
  say(`  rebuilt from the log: ${rebuilt.same ? "the same, by hash" : `not the same\n${rebuilt.printed}`}`);
  say(`  memory: web process ${mb(web)}; worker ${mb(worker)}`);
  const clean =
    isClean(findings) && unseen === 0 && unsent === 0 && rebuilt.same && sender.unexpected.length === 0 && flat(web) && flat(worker);
  say(clean ? "nothing acknowledged was lost, nothing was doubled, nothing waits" : `FAILED: run it again with --seed ${seed}`);
  return clean;
}
