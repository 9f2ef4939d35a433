import { readdirSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ObjectStore, STORE_LIMITS, type StoreLimits, withObjectStore } from "#lib/backup/object-store";
import { fetchSealed } from "#lib/backup/sealed-object";
import { type BackupStore, env, resetEnv } from "#lib/config/env";
import type { RingKey } from "#lib/config/setting-formats";
import { pool } from "#lib/db/pool";
import { checkBackup, makeBackup } from "#lib/flows/installation/backup/make-backup";
import { readBackups } from "#lib/flows/installation/backup/read-backups";
import { examineBackup, restoreBackup } from "#lib/flows/installation/backup/restore-backup";
import { deleteSurplus, runNextBackup } from "#lib/flows/installation/backup/run-backups";
import { dataDir } from "#lib/installation/process-environment";
import { captureLog } from "#tests/support/captured-log";
import { useDatabase } from "#tests/support/database";
import { sealEarlier } from "#tests/support/earlier-seal";
import { makeExampleWorld } from "#tests/support/example-world";
import { makeOpenFolder } from "#tests/support/open-folder";
import { type S3Server, startS3Server } from "#tests/support/s3-server";
import { useSecondCluster } from "#tests/support/second-cluster";

const first = useDatabase();
const second = useSecondCluster();
const folder = makeOpenFolder("signalbox-store-");
const running = new AbortController().signal;
const quiet = { now: new Date(), signal: running, onProgress: () => undefined };
const ONE_TRY: StoreLimits = { ...STORE_LIMITS, attempts: 1 };
/** For a store that never answers; a machine without a core to spare may miss this with any other. */
const IMPATIENT: StoreLimits = { connectMs: 500, silenceMs: 500, attempts: 1 };
let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3Server();
  await makeExampleWorld("store");
});

afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  await pool().query("DELETE FROM backups");
  resetEnv({ BACKUP_DIR: "", BACKUP_EVERY: "1h", BACKUP_KEEP: "2", ...s3.environment });
  for (const name of await namesInStore()) await withStore((store) => store.remove(name));
  s3.requests();
});

afterEach(() => s3.fault(null));

const settings = (): BackupStore => {
  const { backup } = env();
  if (!backup?.store) throw new Error("no store is set");
  return backup.store;
};

const withStore = <T>(work: (store: ObjectStore) => Promise<T>): Promise<T> => withObjectStore(settings(), STORE_LIMITS, work);

const namesInStore = () => withStore((store) => store.list()).then((objects) => objects.map(({ name }) => name));
const latest = async () => (await readBackups()).data[0];
const bytesOf = (name: string) => withStore(async (store) => Buffer.concat(await Array.fromAsync(store.get(name, running))));
const put = (name: string, bytes: Buffer) =>
  withStore((store) => store.put(name, Readable.from([bytes]), { bytes: bytes.length, signal: running }));
const drafts = () => readdirSync(path.join(dataDir(), "backup-drafts")).filter((name) => !name.startsWith("."));

/** Lets the time of all backups pass. */
const later = (minutes: number) =>
  pool().query(
    "UPDATE backups SET started_at = started_at - $1 * interval '1 minute', finished_at = finished_at - $1 * interval '1 minute'",
    [minutes],
  );

async function backUp(): Promise<string> {
  expect(await runNextBackup("worker", running)).toBe(true);
  const made = await latest();
  expect(made).toMatchObject({ state: "done", kept: true, store: "s3://backups/signalbox", failure: null });
  return made?.file ?? "";
}

/** Fetches an object as a restore elsewhere does. @returns its file */
async function fetch(name: string): Promise<string> {
  const to = path.join(folder, `${Math.random()}`);
  await withStore((store) => fetchSealed(store, settings().keys, { name, to, signal: running }));
  return to;
}

const refusal = (name: string) =>
  fetch(name).then(
    () => "fetched",
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe("a backup in the store", () => {
  it("is sealed, is read back, and is restored elsewhere with every table equal by hash", async () => {
    const name = await backUp();
    expect(await namesInStore()).toEqual([name]);
    expect(s3.requests().filter((request) => request.includes(name))).toEqual([
      `PUT /backups/signalbox/${name}`,
      `GET /backups/signalbox/${name}`,
    ]);
    expect(drafts()).toEqual([]);
    const sealed = await bytesOf(name);
    expect(sealed.includes("signalbox-backup")).toBe(false);
    expect(sealed.subarray(0, 21).toString()).toBe("age-encryption.org/v1");

    const file = await fetch(name);
    const { manifest } = await checkBackup(file, () => undefined, running);
    const url = await second.createDatabase();
    await restoreBackup(url, file, await examineBackup(file, quiet), quiet);
    resetEnv({ DATABASE_URL: url });
    const again = await makeBackup(path.join(folder, "again.backup"), quiet).finally(() => resetEnv({ DATABASE_URL: first.url() }));
    const sums = (tables: typeof manifest.tables) => tables.filter(({ name: table }) => !["log_clock", "operations"].includes(table));
    expect(sums(again.manifest.tables)).toEqual(sums(manifest.tables));
    expect(manifest.rows).toBeGreaterThan(50);
  });

  it("is one of the newest that are kept; in BACKUP_DIR as many stay", async () => {
    const dir = path.join(folder, "kept");
    resetEnv({ BACKUP_DIR: dir });
    const made: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      made.push(await backUp());
      await later(61);
    }
    expect((await namesInStore()).sort()).toEqual(made.slice(2).sort());
    expect(
      readdirSync(dir)
        .filter((name) => !name.startsWith("."))
        .sort(),
    ).toEqual(made.slice(2).sort());
    expect((await readBackups()).data.map(({ kept }) => kept)).toEqual([true, true, false, false]);
  });

  it("is deleted only by the installation that has its row", async () => {
    await put("signalbox-2026-01-01T00-00-00Z-0a1b2c3d.backup", Buffer.from("of another"));
    for (let round = 0; round < 3; round += 1) {
      await backUp();
      await later(61);
    }
    expect(await namesInStore()).toHaveLength(3);
  });
});

describe("an object that is refused", () => {
  it("is one with a byte changed, cut off, with more behind it, or in place of another", async () => {
    const [one, other] = [await backUp(), await later(61).then(backUp)];
    const bytes = await bytesOf(one);
    const changed = Buffer.from(bytes);
    changed[bytes.length >> 1] = (changed[bytes.length >> 1] ?? 0) ^ 1;
    await put(one, changed);
    expect(await refusal(one)).toMatch(/^BackupError: The sealed backup is damaged, cut off or was altered/);
    await put(one, bytes.subarray(0, -1000));
    expect(await refusal(one)).toMatch(/^BackupError: The sealed backup is damaged, cut off or was altered/);
    await put(one, Buffer.concat([bytes, Buffer.from("more")]));
    expect(await refusal(one)).toMatch(/^BackupError: The sealed backup is damaged/);
    await put(one, await bytesOf(other));
    expect(await refusal(one)).toContain(`This is a different backup: it was made as ${other} but is stored as ${one}.`);
    const older = sealEarlier(Buffer.from("rows"), { key: settings().keys[0] as RingKey, name: other });
    await put(one, older);
    expect(await refusal(one)).toContain(`This is a different backup: it was made as ${other} but is stored as ${one}.`);
    await put(other, older);
    expect(await refusal(other), "sealed by an earlier version").toBe("fetched");
    await put(one, Buffer.from("hello"));
    expect(await refusal(one)).toBe("BackupError: This is not a sealed Signalbox backup.");
    await put(one, bytes);
    expect(await refusal(one)).toBe("fetched");
    expect(await refusal("signalbox-none.backup")).toBe("BackupError: There is no such object in the store.");
  });

  it("is one whose key is not in BACKUP_KEY; after a rotation both keys open", async () => {
    const name = await backUp();
    const next = `b2:${Buffer.alloc(32, 10).toString("base64")}`;
    resetEnv({ BACKUP_KEY: next });
    expect(await refusal(name)).toContain("sealed with the key b1, which is not in BACKUP_KEY");
    resetEnv({ BACKUP_KEY: `${next},${s3.environment.BACKUP_KEY}` });
    await later(61);
    for (const each of [name, await backUp()]) expect(await refusal(each)).toBe("fetched");
  });

  it("leaves no file when it turns out at its end that it was altered", async () => {
    const name = await backUp();
    const bytes = await bytesOf(name);
    await put(name, bytes.subarray(0, -1));
    const before = readdirSync(folder);
    expect(await refusal(name)).toContain("damaged");
    expect(readdirSync(folder)).toEqual(before);
  });
});

describe("a store that fails", () => {
  const answerWith =
    (status: number, code = "") =>
    (request: { resume: () => void }, response: { writeHead: (status: number) => unknown; end: (text: string) => void }): boolean => {
      request.resume();
      response.writeHead(status);
      response.end(code && `<Error><Code>${code}</Code><Message>S3RVER is not allowed</Message></Error>`);
      return true;
    };

  it.each([
    ["403", ONE_TRY, answerWith(403, "AccessDenied"), "The store denied access."],
    ["403 for the key", ONE_TRY, answerWith(403, "InvalidAccessKeyId"), "Correct BACKUP_S3_ACCESS_KEY_ID."],
    ["404 for the bucket", ONE_TRY, answerWith(404, "NoSuchBucket"), "There is no such bucket."],
    ["503", ONE_TRY, answerWith(503, "SlowDown"), "The store answered 503"],
    ["500 without a word", ONE_TRY, answerWith(500), "The store answered 500"],
    ["nothing", IMPATIENT, () => true, "The store did not respond in time."],
  ])("by answering %s fails the backup in words, without a secret, and the next one succeeds", async (_, limits, fault, words) => {
    const log = captureLog();
    s3.fault(fault);
    expect(await runNextBackup("worker", running, limits)).toBe(true);
    log.stop();
    const failed = await latest();
    expect(failed).toMatchObject({ state: "failed", failure: expect.stringContaining(words) });
    for (const text of [log.text(), failed?.failure ?? ""]) expect(text).not.toMatch(/S3RVER|CQkJCQ|127\.0\.0\.1/);
    expect(drafts()).toEqual([]);
    s3.fault(null);
    await later(61);
    const made = await backUp();
    expect(await namesInStore()).toEqual([made]);
  });

  it("by giving back something else than it was given fails the backup, and leaves no object", async () => {
    s3.fault((request, response) => {
      if (request.method !== "GET") return false;
      response.writeHead(200, { "content-length": 5 });
      response.end("other");
      return true;
    });
    await runNextBackup("worker", running);
    s3.fault(null);
    expect(await latest()).toMatchObject({ state: "failed", failure: "This is not a sealed Signalbox backup." });
    expect(await namesInStore()).toEqual([]);
  });

  it("by falling silent in the middle of an object fails the backup in words", async () => {
    s3.fault((request, response) => {
      if (request.method !== "GET") return false;
      response.writeHead(200, { "content-length": 5_000_000 });
      response.write(Buffer.alloc(1000));
      return true;
    });
    await runNextBackup("worker", running, IMPATIENT);
    s3.fault(null);
    expect(await latest()).toMatchObject({ state: "failed", failure: "The store did not respond in time." });
  });
});

describe("what a worker leaves that is gone", () => {
  it("counts as no backup, and is removed from the store and the folder", async () => {
    const good = await backUp();
    const { rows } = await pool().query<{ place: string }>("SELECT place FROM backups");
    await pool().query(
      `INSERT INTO backups (id, state, requested, runner, started_at, beat_at, file, place, store, stored)
       VALUES ('bak_killed', 'running', true, 'killed', now(), now() - interval '61 seconds', 'killed.backup', $1, 's3://backups/signalbox', true)`,
      [rows[0]?.place],
    );
    await put("killed.backup", await bytesOf(good));
    await deleteSurplus();
    expect(await namesInStore()).toEqual([good]);
    expect((await readBackups()).data.find(({ id }) => id === "bak_killed")).toMatchObject({ state: "failed", kept: false });
  });

  it("stays on the list of what is to be deleted while the store can't be reached", async () => {
    for (let round = 0; round < 2; round += 1) await backUp().then(() => later(61));
    resetEnv({ BACKUP_KEEP: "1" });
    s3.fault((request, response) => {
      if (request.method !== "DELETE") return false;
      response.writeHead(403).end();
      return true;
    });
    await deleteSurplus();
    expect(await namesInStore()).toHaveLength(2);
    s3.fault(null);
    await deleteSurplus();
    expect(await namesInStore()).toHaveLength(1);
  });
});

it("a backup that is stopped while it is sent leaves neither object nor file, and goes back to the queue", async () => {
  await pool().query("INSERT INTO backups (id, state, requested) VALUES ('bak_asked', 'queued', true)");
  const stop = new AbortController();
  const uploads: IncomingMessage[] = [];
  let open = 0;
  s3.fault((request) => {
    if (request.method === "DELETE") open = uploads.filter(({ destroyed }) => !destroyed).length;
    if (request.method !== "PUT") return false;
    uploads.push(request);
    stop.abort();
    return true;
  });
  await runNextBackup("worker", stop.signal);
  s3.fault(null);
  expect(await latest()).toMatchObject({ state: "queued" });
  expect([uploads.length, open], "uploads, and those that still went on when the object was removed").toEqual([1, 0]);
  expect([await namesInStore(), drafts()]).toEqual([[], []]);
});
