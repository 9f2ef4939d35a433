import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { newestKnownMigration } from "#lib/db/migrate";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { FOLD_VERSION } from "#lib/views/definitions";
import { figure } from "#tests/support/figure";
import { makeOpenFolder } from "#tests/support/open-folder";
import { check } from "./checker.ts";
import { makeWebhooks, platformWebhook, sendAll, type Webhook } from "./driver.ts";
import { externalSecrets, Installation } from "./installation.ts";
import { addOtherSenders } from "./other-senders.ts";
import { SteadySender } from "./steady-sender.ts";

// `npm run chaos -- upgrade --from <commit>`: two installations of an earlier release's code on one database, with an
// inbox full of first deliveries, re-deliveries and events that can't be applied, are replaced one after the other by
// this code while webhooks come to both. Then log and records are compared with every acknowledgement, and event types with the log.

const { values } = parseArgs({
  options: {
    from: { type: "string" },
    /** Folder in which the earlier code is built; kept, so that the next run need not build it again. */
    code: { type: "string", default: "/tmp/signalbox-earlier" },
    waiting: { type: "string", default: "20000" },
    rate: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [waiting, rate, seed] = [values.waiting, values.rate, values.seed].map(Number) as [number, number, number];
const REDELIVERED = 200;
const FAILING = 50;
/** Time that workers of both releases apply events beside each other. */
const BESIDE_MS = 15_000;
/** An update that makes records otherwise asks for their rebuild within five minutes. */
const REBUILD_LIMIT_MS = 420_000;
const say = (line: string) => void process.stdout.write(`${line}\n`);

const earlierCode = prepareEarlierCode();
const dataDir = makeOpenFolder("signalbox-upgrade-");
const database = await startEmbeddedPostgres({ directory: path.join(dataDir, "postgres"), port: 0 });
const secrets = externalSecrets();
const old = [install("a", earlierCode), install("b", earlierCode)] as const;
say(`upgrade from ${values.from ?? values.code}: ${waiting} waiting, ${rate} events a second, seed ${seed}`);
for (const each of old) say(`  the earlier release is ready after ${(await each.start()).toFixed(0)} ms`);
await addOtherSenders(old[0]);

const acknowledged = new Map<string, number>();
const applied = makeWebhooks(REDELIVERED, seed + 1, old[0].secret);
const failing = makeFailing();
await sendAll(old[0].url, [...applied, ...failing], acknowledged, () => false);
await untilNothingWaits();
for (const each of old) process.kill(each.childPid("worker"), "SIGSTOP");
await redeliver(applied);
const backlog = makeWebhooks(waiting, seed + 2, old[0].secret);
await sendAll(old[0].url, backlog, acknowledged, () => false);
say(`  ${acknowledged.size} acknowledged, of them ${await countInbox()} wait`);

const sender = new SteadySender([old[0].url, old[1].url], { rate, seed, secret: old[0].secret });
for (const each of old) process.kill(each.childPid("worker"), "SIGCONT");
const started = performance.now();
const replaced: Installation[] = [];
for (const [index, each] of old.entries()) {
  say(`  ${index === 0 ? "the first" : "the second"} is replaced: ended after ${(await each.stop()).toFixed(0)} ms`);
  const workers = await countWorkers();
  const next = install(index === 0 ? "a" : "b", undefined, { port: each.port });
  say(`    this release is ready after ${(await next.start()).toFixed(0)} ms`);
  replaced.push(next);
  while ((await countWorkers()) <= workers) await sleep(200);
  await sleep(BESIDE_MS);
}
await sender.end();
for (const [id, times] of sender.acknowledged) acknowledged.set(id, times);
const findings = await check(database.url, [...applied, ...backlog, ...sender.sent], acknowledged);
const drainedAfter = (performance.now() - started) / 1000;
const stillFailed = await countFailed(replaced[0] as Installation);
say(`  records of this release's fold after another ${((await untilRebuilt()) / 1000).toFixed(0)} s`);
const same = await (replaced[0] as Installation).rebuildsTheSame();
const types = await countLearnt(replaced[0] as Installation);
for (const each of replaced) await each.stop();
await database.stop();
rmSync(dataDir, { recursive: true, force: true });

for (const [name, count] of Object.entries(findings)) say(`  ${name}: ${count}`);
say(
  `  event types: ${types.beside} of ${types.log} events learnt beside the earlier release, ${types.relearnt} once learnt again from the log`,
);
say(`  shown as failed: ${stillFailed} of ${FAILING}; rebuilt ${same.same ? "the same" : `differently:\n${same.printed}`}`);
const { lost, altered, storedTwice, notInView, foreign, notFound, unsettled, appliedTwice } = findings;
const clean =
  [lost, altered, storedTwice, notInView, foreign, notFound].every((count) => count === 0) &&
  types.beside <= types.log &&
  types.relearnt === types.log &&
  [appliedTwice, unsettled, stillFailed, findings.acknowledged, same.same].join() ===
    [REDELIVERED, FAILING, FAILING, waiting + REDELIVERED + FAILING + sender.sent.length, true].join();
figure(
  `upgrade with ${waiting} waiting (seed ${seed}): ${findings.acknowledged} acknowledged, lost ${lost}, stored twice ${storedTwice}, applied twice ${appliedTwice} (${REDELIVERED} re-delivered), not in view ${notInView}, set aside ${unsettled} (${FAILING} can't be applied); both replaced and drained after ${drainedAfter.toFixed(1)} s`,
);
say(clean ? "nothing was lost, nothing was applied that nobody asked for" : `FAILED: run it again with --seed ${seed}`);
process.exit(clean ? 0 : 1);

/** The code of the commit with its own packages; its first start builds it. @returns its folder */
function prepareEarlierCode(): string {
  const folder = path.resolve(values.code);
  if (!existsSync(folder)) {
    if (!values.from) throw new Error("say which commit is the earlier release: --from <commit>");
    const run = (command: string, args: string[]) => execFileSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    execFileSync("git", ["clone", "--quiet", path.resolve(import.meta.dirname, "../.."), folder]);
    run("git", ["checkout", "--quiet", values.from]);
    run("npm", ["ci"]);
  }
  return folder;
}

function install(name: string, code?: string, port?: { port: number }): Installation {
  const folder = path.join(dataDir, name);
  mkdirSync(folder, { recursive: true });
  return new Installation(folder, { environment: { DATABASE_URL: database.url, ...secrets }, code, ...port });
}

/** Waits until this release has made the records of every workspace. @returns milliseconds; after the limit, too */
async function untilRebuilt(): Promise<number> {
  const since = performance.now();
  while ((await count("SELECT count(*) AS n FROM view_folds WHERE fold < $1", String(FOLD_VERSION))) > 0)
    if (performance.now() - since > REBUILD_LIMIT_MS) break;
    else await sleep(500);
  return performance.now() - since;
}

/** Events of a document that doesn't say which: they are stored, and can't be applied. */
function makeFailing(): Webhook[] {
  return Array.from({ length: FAILING }, (_, n) => {
    const body = JSON.stringify({
      id: `evt_failing_${n}`,
      type: "document.processed",
      created: 1_760_000_000,
      data: { status: "completed" },
    });
    return platformWebhook(`evt_failing_${n}`, "", body, old[0].secret);
  });
}

/** Number of events that wait by the earlier release's schema. */
function countInbox(): Promise<number> {
  return count("SELECT count(*) AS n FROM inbox");
}

/** Number of workers of this release. */
function countWorkers(): Promise<number> {
  return count("SELECT count(*) AS n FROM worker_heartbeats WHERE knows = $1", newestKnownMigration());
}

async function count(sql: string, ...values: string[]): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(sql, values);
  await client.end();
  return Number(rows[0]?.n);
}

async function untilNothingWaits(): Promise<void> {
  while ((await countInbox()) > 0) await sleep(100);
}

async function redeliver(webhooks: Webhook[]): Promise<void> {
  for (const { eventId } of webhooks) {
    const { status } = await fetch(`${old[0].url}/api/v1/events/${eventId}/redeliver`, {
      method: "POST",
      headers: authorizationOf(old[0]),
    });
    if (status !== 202) throw new Error(`a re-delivery was answered ${status}`);
  }
}

/**
 * The earlier release may have no learner: what its workers applied is in no schema until somebody has it learnt again from the log.
 * @returns first deliveries of all types: in the log, learnt while both releases worked, and learnt again
 */
async function countLearnt(installation: Installation): Promise<{ log: number; beside: number; relearnt: number }> {
  const call = async <T>(path: string, method = "GET"): Promise<T> =>
    (await fetch(`${installation.url}/api/v1/${path}`, { method, headers: authorizationOf(installation) })).json() as Promise<T>;
  const read = async () => {
    const { data } = await call<{ data: { id: string | null; events: number }[] }>("event-types");
    return data.filter(({ id }) => id !== null);
  };
  const sum = (types: { events: number }[]) => types.reduce((all, { events }) => all + events, 0);
  const types = await read();
  for (const { id } of types) {
    const { id: operation } = await call<{ id: string }>(`event-types/${id}/relearn`, "POST");
    while (!["finished", "failed", "stopped"].includes((await call<{ state: string }>(`operations/${operation}`)).state)) await sleep(200);
  }
  return { log: await count("SELECT count(*) AS n FROM events"), beside: sum(types), relearnt: sum(await read()) };
}

async function countFailed(installation: Installation): Promise<number> {
  const answer = await fetch(`${installation.url}/api/v1/events?state=failed&limit=100`, { headers: authorizationOf(installation) });
  return ((await answer.json()) as { data: unknown[] }).data.length;
}

function authorizationOf({ apiKey }: Installation): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}
