import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { openObjectStore } from "#lib/backup/object-store";
import { type BackupStore, env, resetEnv } from "#lib/config/env";
import { closePools, pool } from "#lib/db/pool";
import { proveNext, runProofs } from "#lib/flows/installation/backup/prove-backups";
import { readBackups, readProofStatus } from "#lib/flows/installation/backup/read-backups";
import { runNextBackup } from "#lib/flows/installation/backup/run-backups";
import { dataDir } from "#lib/installation/process-environment";
import { startLoop } from "#tests/support/background-loop";
import { readCompleteMetrics } from "#tests/support/complete-metrics";
import { useDatabase } from "#tests/support/database";
import { makeExampleWorld } from "#tests/support/example-world";
import { type S3Server, startS3Server } from "#tests/support/s3-server";

const database = useDatabase();
const running = new AbortController().signal;
let s3: S3Server;
let name: string;

beforeAll(async () => {
  s3 = await startS3Server();
  await makeExampleWorld("prove");
  resetEnv({ BACKUP_DIR: "", BACKUP_EVERY: "1h", BACKUP_KEEP: "2", BACKUP_PROVE_EVERY: "7d", ...s3.environment });
  await runNextBackup("worker", running);
  name = (await readBackups()).data[0]?.file ?? "";
});

afterAll(() => s3.close());
beforeEach(() => pool().query("DELETE FROM backup_proofs"));
afterEach(() => s3.fault(null));

const scratches = async () =>
  (await pool().query<{ name: string }>("SELECT datname AS name FROM pg_database WHERE datname LIKE 'signalbox\\_proof\\_%'")).rows;
const files = () => {
  try {
    return readdirSync(path.join(dataDir(), "backup-proofs"));
  } catch {
    return [];
  }
};
const expectNothingLeft = async () => expect([await scratches(), files()]).toEqual([[], []]);

/** Lets the time of all proofs pass. */
const later = (hours: number) => pool().query("UPDATE backup_proofs SET finished_at = finished_at - $1 * interval '1 hour'", [hours]);

const settings = (): BackupStore => {
  const { backup } = env();
  if (!backup?.store) throw new Error("no store is set");
  return backup.store;
};

it("the newest stored backup is restored into a scratch database on schedule, and that is shown and counted", {
  tags: ["deep"],
}, async () => {
  expect(await readProofStatus()).toMatchObject({ provedAt: null, failure: null });
  expect(await proveNext("worker", running)).toBe(true);
  expect((await readBackups()).status.proof).toEqual({ everyHours: 168, provedAt: expect.any(String), file: name, failure: null });
  await expectNothingLeft();
  expect(await proveNext("worker", running)).toBe(false);
  await later(167);
  expect(await proveNext("worker", running)).toBe(false);
  const text = await readCompleteMetrics();
  expect(Number(/^signalbox_backup_proved_age_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(166 * 3600);
  expect(text).toMatch(/^signalbox_backup_prove_interval_seconds 604800$/m);
  expect(text).toMatch(/^signalbox_backup_proof_failed 0$/m);
  await later(2);
  expect(await Promise.all([proveNext("one", running), proveNext("two", running)])).toContain(false);
});

it("an object that was altered fails the proof in words, is tried again within hours, and good again it is proved", {
  tags: ["deep"],
}, async () => {
  const store = await openObjectStore(settings());
  onTestFinished(() => store.close());
  const bytes = Buffer.concat(await Array.fromAsync(store.get(name, running)));
  const put = (content: Buffer) => store.put(name, Readable.from([content]), { bytes: content.length, signal: running });
  await put(Buffer.concat([bytes.subarray(0, 500), Buffer.from([(bytes[500] ?? 0) ^ 1]), bytes.subarray(501)]));
  await proveNext("worker", running);
  expect(await readProofStatus()).toMatchObject({ provedAt: null, failure: expect.stringContaining("The sealed backup is damaged") });
  await expectNothingLeft();
  await put(bytes);
  expect(await proveNext("worker", running)).toBe(false);
  await later(7);
  await proveNext("worker", running);
  expect(await readProofStatus()).toMatchObject({ provedAt: expect.any(String), failure: null });
});

it("a role that may not create databases is told so", { tags: ["deep"] }, async () => {
  await pool().query(`CREATE ROLE proof_limited LOGIN PASSWORD 'limited' IN ROLE pg_read_all_data, pg_write_all_data`);
  onTestFinished(async () => {
    resetEnv({ DATABASE_URL: database.url() });
    await closePools();
    await pool().query("DROP ROLE proof_limited");
  });
  const url = new URL(database.url());
  url.username = "proof_limited";
  url.password = "limited";
  await closePools();
  resetEnv({ DATABASE_URL: url.href });
  await proveNext("worker", running);
  expect(await readProofStatus()).toMatchObject({
    failure: expect.stringContaining(
      'The database role proof_limited may not create a database, so that no backup can be restored beside this one. Run: ALTER ROLE "proof_limited" CREATEDB.',
    ),
  });
});

it("what a killed worker left is dropped: its database and its file; another's in use is not", { tags: ["deep"] }, async () => {
  await pool().query(
    `INSERT INTO backup_proofs (id, state, file, database, runner, beat_at)
     VALUES ('bkp_killed', 'running', 'x', 'signalbox_proof_killed', 'killed', now() - interval '61 seconds'),
       ('bkp_alive', 'running', 'x', 'signalbox_proof_alive', 'alive', now() + interval '1 hour')`,
  );
  const folder = path.join(dataDir(), "backup-proofs");
  mkdirSync(folder, { recursive: true });
  for (const each of ["killed", "alive"]) {
    await pool().query(`CREATE DATABASE signalbox_proof_${each} TEMPLATE template0`);
    writeFileSync(path.join(folder, `signalbox_proof_${each}`), "a backup");
  }
  // Somebody is still in it.
  const url = new URL(database.url());
  url.pathname = "/signalbox_proof_killed";
  const client = new pg.Client({ connectionString: url.href });
  client.on("error", () => undefined);
  await client.connect();
  const loop = startLoop(runProofs);
  await expect.poll(scratches, { timeout: 30_000 }).toEqual([{ name: "signalbox_proof_alive" }]);
  await expect.poll(files).toEqual(["signalbox_proof_alive"]);
  await loop.stop();
  await pool().query("DROP DATABASE signalbox_proof_alive WITH (FORCE)");
});

it("one that is stopped with its worker leaves nothing, is no failure, and is due again at once", { tags: ["deep"] }, async () => {
  const stop = new AbortController();
  s3.fault(() => {
    stop.abort();
    return true;
  });
  expect(await proveNext("worker", stop.signal)).toBe(true);
  s3.fault(null);
  await expectNothingLeft();
  expect(await readProofStatus()).toMatchObject({ provedAt: null, failure: null });
  expect(await proveNext("worker", running)).toBe(true);
  expect(await readProofStatus()).toMatchObject({ provedAt: expect.any(String) });
});

it("none is made without a store, and none when they are turned off", async () => {
  resetEnv({ BACKUP_PROVE_EVERY: "0" });
  expect(await proveNext("worker", running)).toBe(false);
  expect((await readBackups()).status.proof).toBeNull();
});
