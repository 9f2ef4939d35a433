import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { STORE_LIMITS, withObjectStore } from "#lib/backup/object-store";
import { env, resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { checkBackup } from "#lib/flows/installation/backup/make-backup";
import { proveNext } from "#lib/flows/installation/backup/prove-backups";
import { readBackupStatus, readBackups } from "#lib/flows/installation/backup/read-backups";
import { deleteSurplus, runNextBackup } from "#lib/flows/installation/backup/run-backups";
import { useDatabase } from "#tests/support/database";
import { type S3Server, startS3Server } from "#tests/support/s3-server";
import { temporaryFolder } from "#tests/support/temporary-folder";

// With BACKUP_DIR and a store both, the file is good whatever becomes of its copy.

useDatabase();
const running = new AbortController().signal;
const LIMITS = { ...STORE_LIMITS, attempts: 1 };
let s3: S3Server;
let folder: string;

beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.close());
afterEach(() => s3.fault(null));

beforeEach(async () => {
  folder = temporaryFolder();
  resetEnv({ ...s3.environment, BACKUP_DIR: folder, BACKUP_EVERY: "24h", BACKUP_KEEP: "2", BACKUP_PROVE_EVERY: "7d" });
  await pool().query("DELETE FROM backups");
  for (const name of await inStore()) await inTheStore((store) => store.remove(name));
});

const inTheStore = <T>(work: Parameters<typeof withObjectStore<T>>[2]) => {
  const store = env().backup?.store;
  if (!store) throw new Error("no store is set");
  return withObjectStore(store, LIMITS, work);
};
const inStore = () => inTheStore((store) => store.list()).then((objects) => objects.map(({ name }) => name));
const inFolder = () => readdirSync(folder).filter((name) => !name.startsWith("."));
const run = (signal = running) => runNextBackup("worker", signal, LIMITS);
const latest = async () => (await readBackups()).data[0];
const deny = () =>
  s3.fault((request, response) => {
    request.resume();
    response.writeHead(403).end();
    return true;
  });

/** Lets minutes pass for all backups. */
const later = (minutes: number) =>
  pool().query(
    "UPDATE backups SET started_at = started_at - $1 * interval '1 minute', finished_at = finished_at - $1 * interval '1 minute'",
    [minutes],
  );

it("a store that fails leaves the file good and kept; the same file is sent again after an hour", async () => {
  deny();
  expect(await run()).toBe(true);
  const made = await latest();
  const failure = expect.stringMatching(/^The file in BACKUP_DIR is complete, but its copy to the store failed: The store denied access\./);
  expect(made).toMatchObject({ state: "done", kept: true, store: null, failure, fileBytes: expect.any(Number) });
  expect(inFolder()).toEqual([made?.file]);
  await checkBackup(path.join(folder, made?.file ?? ""), () => undefined, running);
  expect(await readBackupStatus()).toMatchObject({ lastGoodAt: made?.startedAt, overdue: false, storeOverdue: false });
  expect(await proveNext("worker", running)).toBe(false);

  await later(59);
  expect(await run()).toBe(false);
  await later(2);
  expect(await run()).toBe(true);
  expect(await latest()).toMatchObject({ id: made?.id, state: "done", store: null, failure });
  expect(inFolder()).toEqual([made?.file]);
  s3.fault(null);
  await later(61);
  expect(await run()).toBe(true);
  expect((await readBackups()).data).toMatchObject([
    { id: made?.id, state: "done", kept: true, store: "s3://backups/signalbox", failure: null, fileBytes: made?.fileBytes },
  ]);
  expect([inFolder(), await inStore()]).toEqual([[made?.file], [made?.file]]);
  expect(await run()).toBe(false);
});

it("a store that fails for longer than twice the interval is said, and the newest files stay", async () => {
  deny();
  for (let round = 0; round < 4; round += 1) {
    expect(await run()).toBe(true);
    await later(24 * 60 + 1);
  }
  expect(await readBackupStatus()).toMatchObject({ overdue: false, storeOverdue: true });
  expect(inFolder()).toHaveLength(2);
  expect((await readBackups()).data.map(({ state, kept }) => [state, kept])).toEqual([
    ["done", true],
    ["done", true],
    ["done", false],
    ["done", false],
  ]);
});

it("a worker that is stopped or killed while it sends keeps the file, and what it left in the store goes", async () => {
  const stop = new AbortController();
  s3.fault((request) => {
    if (request.method !== "PUT") return false;
    stop.abort();
    return true;
  });
  expect(await run(stop.signal)).toBe(true);
  s3.fault(null);
  const stopped = await latest();
  expect(stopped).toMatchObject({ state: "done", kept: true, failure: expect.stringContaining("It was stopped.") });
  await pool().query("UPDATE backups SET state = 'running', failure = NULL, stored = true, beat_at = now() - interval '61 seconds'");
  expect(await readBackupStatus()).toMatchObject({ lastGoodAt: stopped?.startedAt });
  await deleteSurplus(LIMITS);
  expect(await latest()).toMatchObject({
    state: "done",
    kept: true,
    failure: expect.stringContaining("The worker that was making it exited"),
  });
  expect([inFolder(), await inStore()]).toEqual([[stopped?.file], []]);
});
