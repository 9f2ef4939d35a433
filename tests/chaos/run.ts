import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { makeOpenFolder } from "#tests/support/open-folder";
import { check, isClean } from "./checker.ts";
import { makeWebhooks, mulberry32, sendAll } from "./driver.ts";
import { Installation } from "./installation.ts";
import { addOtherSenders } from "./other-senders.ts";
import { dropUniqueKey, preloadOf, SABOTAGES, type Sabotage, skipRange, tamper } from "./sabotage.ts";

// `npm run chaos`: signed webhooks are sent while processes are killed with -9,
// or PostgreSQL is stopped at once, at random moments. Afterwards log, attempts
// and views are compared with every acknowledgement. `--sabotage` takes away
// what the promise rests on: the checker must find it out.

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "2000" },
    kills: { type: "string", default: "3" },
    "database-stops": { type: "string", default: "0" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    sabotage: { type: "string" },
  },
});
const [events, kills, stops, seed] = [values.events, values.kills, values["database-stops"], values.seed].map(Number) as [
  number,
  number,
  number,
  number,
];
const sabotage = SABOTAGES.find((each) => each === values.sabotage) ?? null;
if (values.sabotage && !sabotage) throw new Error(`--sabotage is one of ${SABOTAGES.join(", ")}`);
const say = (line: string) => process.stdout.write(`${line}\n`);

const dataDir = makeOpenFolder("signalbox-chaos-");
const random = mulberry32(seed);
const installation = new Installation(dataDir, { preload: preloadOf(sabotage) });
const webhooks = makeWebhooks(events, seed, installation.secret);
const acknowledged = new Map<string, number>();

/** Failures: the processes that are ended, and how. Each returns when everything runs again. */
const BLOWS = {
  "everything with -9": async () => {
    await installation.killGroup();
    await installation.start();
  },
  "everything and the database with -9": async () => {
    await installation.killGroup();
    await installation.endDatabase("SIGKILL");
    await installation.start();
  },
  "the web process with -9": () => installation.killChild("web"),
  "the worker with -9": () => installation.killChild("worker"),
  "the database stopped at once": () => installation.endDatabase("SIGQUIT"),
};
type Blow = keyof typeof BLOWS;
const KILLS: Blow[] = ["everything with -9", "everything and the database with -9", "the web process with -9", "the worker with -9"];

say(`chaos: ${events} events, ${kills} kills, ${stops} stops of the database, seed ${seed}${sabotage ? `, sabotaged: ${sabotage}` : ""}`);
say(`  ready after ${(await installation.start()).toFixed(0)} ms`);
await addOtherSenders(installation);
if (sabotage === "no-unique-key") await dropUniqueKey(await installation.databaseUrl());
if (sabotage === "skipped-range") await skipRange(await installation.databaseUrl());

const blows = planBlows(sabotage);
let left = webhooks;
let sendingMs = 0;
for (const [index, blow] of blows.entries()) left = await strike(index + 1, blow, left, blows.length - index);
for (const began = performance.now(); left.length > 0; sendingMs += performance.now() - began)
  left = await sendAll(installation.url, left, acknowledged, () => false);
// Retries by the platform after a lost answer: some webhooks come again although they were stored.
await sendAll(installation.url, webhooks.slice(0, Math.ceil(events / 10)), acknowledged, () => false);

const url = await installation.databaseUrl();
if (sabotage === "tampering") await tamper(url);
const findings = await check(url, webhooks, acknowledged);
const rebuild = await installation.rebuildsTheSame();
say(`  rebuilt from the log: ${rebuild.same ? "the same, by hash" : `not the same\n${rebuild.printed}`}`);
say(`  Ctrl-C: everything ended after ${(await installation.stop()).toFixed(0)} ms`);
rmSync(dataDir, { recursive: true, force: true });
say(`  sent at ${((events / sendingMs) * 1000).toFixed(0)} events/s while it could be reached`);
for (const [name, count] of Object.entries(findings)) say(`  ${name}: ${count}`);

const clean = isClean(findings) && rebuild.same && findings.acknowledged === events;
if (sabotage) say(clean ? "FAILED: the checker did not see the sabotage" : "the checker saw the sabotage");
else say(clean ? "nothing acknowledged was lost, nothing was doubled" : `FAILED: run it again with --seed ${seed}`);
process.exit(clean === Boolean(sabotage) ? 1 : 0);

/** The blows in the order that the seed draws. */
function planBlows(spoilt: Sabotage | null): Blow[] {
  if (spoilt === "asynchronous-commit") return Array.from({ length: kills }, () => "everything and the database with -9");
  const drawn = Array.from({ length: kills }, () => KILLS[Math.floor(random() * KILLS.length)] ?? "everything with -9");
  return [...drawn, ...Array<Blow>(stops).fill("the database stopped at once")];
}

/** Sends a share of what is left and strikes somewhere within it, so that requests are in flight. */
async function strike(number: number, blow: Blow, waiting: typeof webhooks, blowsLeft: number): Promise<typeof webhooks> {
  let struck = false;
  const [before, began] = [acknowledged.size, performance.now()];
  const share = Math.ceil(waiting.length / (blowsLeft + 1));
  let over = false;
  const burst = sendAll(installation.url, waiting, acknowledged, () => struck).finally(() => {
    over = true;
  });
  const target = before + Math.max(1, Math.floor(share * (0.4 + random() * 0.6)));
  while (acknowledged.size < target && !over) await new Promise((resolve) => setTimeout(resolve, 1));
  sendingMs += performance.now() - began;
  const outage = performance.now();
  // The sender goes on for a moment: what it sends now meets processes that are going down.
  setTimeout(() => {
    struck = true;
  }, 20);
  await BLOWS[blow]();
  const missed = await burst;
  await installation.ready();
  say(
    `  ${number}. ${blow}: ${acknowledged.size} acknowledged, ${missed.length} to send again, ready after ${(performance.now() - outage).toFixed(0)} ms`,
  );
  return missed;
}
