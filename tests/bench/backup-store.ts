import { fork } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type ObjectStore, STORE_LIMITS, withObjectStore } from "#lib/backup/object-store";
import { fetchSealed } from "#lib/backup/sealed-object";
import { env, resetEnv } from "#lib/config/env";
import { migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { checkBackup, makeBackup } from "#lib/flows/installation/backup/make-backup";
import { readBackups } from "#lib/flows/installation/backup/read-backups";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { TEST_ENV } from "#tests/support/environment";
import { forkWorker } from "#tests/support/fork-worker";
import { fillLog } from "#tests/support/large-log";
import { makeOpenFolder } from "#tests/support/open-folder";
import { rebuild } from "#tests/support/rebuild";
import { startS3Server } from "#tests/support/s3-server";
import { makeWorkspace } from "#tests/support/webhooks";
import { say } from "./harness.ts";

// `npm run bench -- backup-store`: a worker that backs up a large log to an S3 server is killed with SIGKILL while it copies, and
// another between two parts of the upload. The next one finishes, and what it stored is restored into another server and compared
// by hash. Then the object is changed, cut off and swapped, and must be refused. Exits with 1 when anything differs.

const { values } = parseArgs({ options: { events: { type: "string", default: "300000" } } });
const events = Number(values.events);
const folder = makeOpenFolder("signalbox-bench-store-");
const first = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: true });
const second = await startEmbeddedPostgres({ directory: path.join(folder, "elsewhere"), port: 0, durable: true });
const s3 = await startS3Server(folder);
const settings = { ...s3.environment, DATA_DIR: path.join(folder, "data"), BACKUP_DIR: "", BACKUP_EVERY: "24h", BACKUP_PROVE_EVERY: "0" };
resetEnv({ ...TEST_ENV, ...settings, DATABASE_URL: first.url });
await migrate(first.url);
let wrong = 0;
try {
  await fill();
  await killedWhile("it copies", async () => {
    while ((await latest())?.phase !== "copying" || !((await latest())?.done ?? 0)) await sleep(50);
  });
  await killedWhile("it sends the third part", () => partSent(3));
  const name = await finish();
  await restoreElsewhere(name);
  await refuse(name);
} finally {
  await closePools();
  await Promise.all([first.stop(), second.stop(), s3.close()]);
  rmSync(folder, { recursive: true, force: true });
}
say(wrong === 0 ? "nothing differs" : `${wrong} WRONG`);
process.exit(wrong === 0 ? 0 : 1);

async function fill(): Promise<void> {
  const place = await makeWorkspace("bench");
  const since = performance.now();
  await fillLog({ ...place, events });
  await rebuild(place.workspaceId);
  say(`log of ${events} events with its records made in ${seconds(since)} s`);
}

/** Starts a worker, kills it at the moment, and lets the minute pass after which it counts as gone. */
async function killedWhile(words: string, moment: () => Promise<void>): Promise<void> {
  const worker = forkWorker(first.url, settings);
  await Promise.all([worker.ready, moment()]);
  worker.child.kill("SIGKILL");
  await worker.ended;
  s3.fault(null);
  const { done = 0, total = 0, phase } = (await latest()) ?? {};
  expect(`killed while ${words} (${phase}, ${done} of ${total}): objects in the store`, (await inStore((store) => store.list())).length, 0);
  await sleep(61_000);
  await pool().query("UPDATE backups SET state = 'failed', finished_at = now() - interval '61 minutes' WHERE state = 'running'"); // the hour after a failure
}

function partSent(number: number): Promise<void> {
  return new Promise((resolve) =>
    s3.fault((request) => {
      if (!request.url?.includes(`partNumber=${number}`)) return false;
      resolve();
      return true;
    }),
  );
}

/** Lets a worker make the backup that is due. @returns its name */
async function finish(): Promise<string> {
  const worker = forkWorker(first.url, settings);
  const since = performance.now();
  await worker.ready;
  while ((await latest())?.state !== "done") await sleep(200);
  worker.child.kill("SIGTERM");
  await worker.ended;
  const { file = "", fileBytes = 0, events: saved } = (await latest()) ?? {};
  say(`  the next worker: ${saved} events, ${((fileBytes ?? 0) / 1_000_000).toFixed(1)} MB stored and read back in ${seconds(since)} s`);
  expect("  objects in the store", (await inStore((store) => store.list())).map((each) => each.name).join(), file);
  return file ?? "";
}

async function restoreElsewhere(name: string): Promise<void> {
  const since = performance.now();
  const { code } = await restore(`s3://backups/signalbox/${name}`, []);
  expect(`restored into another server in ${seconds(since)} s: exit code`, code, 0);
  const signal = new AbortController().signal;
  const file = path.join(folder, "fetched.backup");
  await inStore((store) => fetchSealed(store, env().backup?.store?.keys ?? [], { name, to: file, signal }));
  const { manifest } = await checkBackup(file, () => undefined, signal);
  resetEnv({ DATABASE_URL: second.url });
  const again = await makeBackup(path.join(folder, "again.backup"), { now: new Date(), signal, onProgress: () => undefined });
  resetEnv({ DATABASE_URL: first.url });
  const sums = ({ tables }: typeof manifest) => tables.filter((table) => !["log_clock", "operations"].includes(table.name));
  const differing = sums(manifest).filter((table, n) => JSON.stringify(table) !== JSON.stringify(sums(again.manifest)[n]));
  say(`  ${manifest.rows} rows of ${manifest.tables.length} tables; a backup of the restored database has the same hashes`);
  expect("  tables that differ", differing.map((table) => table.name).join(), "");
}

async function refuse(name: string): Promise<void> {
  const bytes = await inStore(async (store) => Buffer.concat(await Array.fromAsync(store.get(name, new AbortController().signal))));
  const changed = Buffer.from(bytes);
  changed[bytes.length >> 1] = (changed[bytes.length >> 1] ?? 0) ^ 1;
  const swapped = `swapped-${name}`;
  const cases: [string, string, Buffer][] = [
    ["a changed bit", name, changed],
    ["the last byte cut off", name, bytes.subarray(0, -1)],
    ["cut off after a chunk", name, bytes.subarray(0, bytes.length >> 1)],
    ["stored under another name", swapped, bytes],
  ];
  for (const [words, target, content] of cases) {
    await put(target, content);
    const { code, output } = await restore(`s3://backups/signalbox/${target}`, ["--check"]);
    expect(`${words}: exit code (${output.trim().split("\n").at(-1)})`, code, 1);
  }
  await put(name, bytes);
  expect("as it was: exit code", (await restore(`s3://backups/signalbox/${name}`, ["--check"])).code, 0);
}

function put(name: string, bytes: Buffer): Promise<void> {
  const options = { bytes: bytes.length, signal: new AbortController().signal };
  return inStore((store) => store.put(name, Readable.from([bytes]), options));
}

function restore(object: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const child = fork(path.resolve(import.meta.dirname, "../../lib/processes/backups/restore.ts"), [object, ...args], {
    env: { ...process.env, ...TEST_ENV, ...settings, NODE_ENV: "production", DATABASE_URL: second.url },
    silent: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

function inStore<T>(work: (store: ObjectStore) => Promise<T>): Promise<T> {
  const store = env().backup?.store;
  if (!store) throw new Error("no store is set");
  return withObjectStore(store, STORE_LIMITS, work);
}

async function latest() {
  return (await readBackups()).data[0];
}

function expect(words: string, found: unknown, wanted: unknown): void {
  const isRight = found === wanted;
  if (!isRight) wrong += 1;
  say(`${words}: ${found === "" ? "none" : found}${isRight ? "" : `, WRONG: ${wanted} was expected`}`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
