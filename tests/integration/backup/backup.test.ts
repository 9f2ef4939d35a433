import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { closePools, pool } from "#lib/db/pool";
import { readFeed } from "#lib/events/feed-store";
import { workSearchIndex } from "#lib/flows/events/index-for-search";
import { type Backup, makeBackup } from "#lib/flows/installation/backup/make-backup";
import { compareRestored, examineBackup, restoreBackup } from "#lib/flows/installation/backup/restore-backup";
import { checkVault } from "#lib/flows/vault/vault-keys";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { insertOperation } from "#lib/operations/operation-store";
import { useDatabase } from "#tests/support/database";
import { EARLIER_MIGRATIONS, LATER_MIGRATIONS } from "#tests/support/earlier-migrations";
import { TEST_ENV } from "#tests/support/environment";
import { makeExampleWorld } from "#tests/support/example-world";
import { applyAndLearn, newWorker, TypeOfSource } from "#tests/support/learnt-types";
import { append, drainInbox, fileAll } from "#tests/support/log-writer";
import { randomEvents } from "#tests/support/random-events";
import { useSecondCluster } from "#tests/support/second-cluster";
import { makeWorkspace } from "#tests/support/webhooks";

const first = useDatabase();
const second = useSecondCluster();
const folder = mkdtempSync(path.join(tmpdir(), "signalbox-backup-"));
const quiet = {
  now: new Date(),
  signal: new AbortController().signal,
  onProgress: (_progress: { phase: string; done: number; total: number }) => {},
};

let world: { workspaceId: WorkspaceId; sourceId: SourceId };
let cursor: string;
let file: string;
let backup: Backup;

/** Tables that a restore itself writes. */
const CHANGED = ["log_clock", "operations"];

const inFolder = (name: string) => path.join(folder, name);
const document = (eventId: string) => ({ eventId, type: "document.uploaded", created: 5, data: { documentId: `doc_${eventId}` } });

async function use(url: string): Promise<void> {
  await closePools();
  resetEnv({ ...TEST_ENV, DATABASE_URL: url });
}

async function restoreInto(url: string, from = file, options: Omit<typeof quiet, "now"> = quiet): Promise<void> {
  await restoreBackup(url, from, await examineBackup(from, options), options);
}

async function ask<T extends object>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<T>(sql).finally(() => client.end())).rows;
}

const tablesOf = async (url: string) =>
  (await ask<{ relname: string }>(url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).length;

const indexesOf = (url: string) =>
  ask(
    url,
    `SELECT tablename, replace(indexdef, ' ON ONLY ', ' ON ') AS indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename !~ '\\d{4}_\\d{2}$'
     ORDER BY indexname`,
  );

beforeAll(async () => {
  world = await makeWorkspace();
  await makeExampleWorld("backup");
  await pool().query("DELETE FROM views WHERE kind = 'record'"); // the example's is of no event
  const maple = { eventId: "evt_maple", type: "push", created: 5, data: { word: "maple" } };
  await append(world.workspaceId, world.sourceId, [maple, ...randomEvents(400, 1)]);
  await append(world.workspaceId, world.sourceId, randomEvents(20, 2), new Date("2025-03-05T10:00:00Z"));
  await applyAndLearn();
  newWorker();
  await append(world.workspaceId, world.sourceId, [document("evt_waiting")]); // waits in the inbox
  await fileAll();
  cursor = (await readFeed(world.workspaceId, "0-0", 1000)).events.at(-1)?.id ?? "";
  await insertOperation(world.workspaceId, { kind: "rebuild", requestedBy: "ada" });
  file = inFolder("first.backup");
  backup = await makeBackup(file, quiet);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a restored backup", () => {
  let url: string;

  beforeAll(async () => {
    url = await second.createDatabase();
    await restoreInto(url);
    await use(url);
  });

  afterAll(() => use(first.url()));

  it("holds every row of every table, with the same indexes and sequences", async () => {
    expect(await makeBackup(inFolder("again.backup"), quiet)).toMatchObject({
      manifest: { tables: backup.manifest.tables.map(({ name, ...table }) => ({ name, ...(!CHANGED.includes(name) && table) })) },
    });
    expect(await indexesOf(url)).toEqual(await indexesOf(first.url()));
    const sequences = `SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`;
    expect(await ask(url, sequences)).toEqual(await ask(first.url(), sequences));
  });

  it("lacks the search, which the backup leaves out, says so, and is filed again from the log to the same terms", async () => {
    expect(backup.head.tables.map(({ name }) => name)).not.toContain("event_search");
    const search = () => listNamedEvents(world.workspaceId, { q: "maple" }, { limit: 10, now: new Date() });
    expect(await search()).toMatchObject({ data: [], searchedBackTo: { eventsWaiting: 422 } });
    while (await workSearchIndex());
    expect((await search()).data).toHaveLength(1);
    expect(await search()).not.toHaveProperty("searchedBackTo");
    const filed = "SELECT workspace_id, received_at, seq, terms::text FROM event_search ORDER BY seq";
    expect(await ask(url, filed)).toEqual(await ask(first.url(), filed));
  });

  it("has the event types as they were learnt, and learns on from there", async () => {
    const schemas = `SELECT id, events, tree, watch, generation FROM event_schemas WHERE workspace_id = '${world.workspaceId}' ORDER BY id`;
    const before = await ask<{ events: string }>(first.url(), schemas);
    expect(before.length).toBeGreaterThan(3);
    expect(await ask(url, schemas)).toEqual(before);
    const type = new TypeOfSource(world, "document.uploaded");
    const { events } = await type.read();
    await applyAndLearn(); // what waited in the inbox
    expect((await type.read()).events).toBe(events + 1);
    newWorker();
  });

  it("has records that are what its log makes of them, also when a rebuild was under way, and secrets that open", async () => {
    const compared = await compareRestored(quiet);
    expect(compared.map(({ report }) => [report?.missing, report?.surplus, report?.different])).toEqual(compared.map(() => [0, 0, 0]));
    expect(compared).toHaveLength(2);
    expect(await checkVault(new Date())).toEqual({ outcome: "fits" });
  });

  it("goes on: new events come in, are applied and filed, and a cursor from before goes on after them", async () => {
    const { workspaceId, sourceId } = world;
    await append(workspaceId, sourceId, [document("evt_new")]);
    await drainInbox();
    await fileAll();
    expect((await readFeed(workspaceId, cursor, 10)).events.map(({ event }) => event.id)).toEqual(["evt_new"]);
    expect((await readFeed(workspaceId, "0-0", 1000)).events).toHaveLength(423);
    const { rows } = await pool().query("SELECT 1 FROM event_search WHERE workspace_id = $1", [workspaceId]);
    expect(rows).toHaveLength(423);
  });

  it("is refused by a database that holds rows", async () => {
    await expect(restoreInto(url)).rejects.toThrow("This database is not empty");
    expect((await readFeed(world.workspaceId, "0-0", 1000)).events).toHaveLength(423);
  });
});

describe("a backup", () => {
  it("is one moment of a database that goes on", { tags: ["deep"], timeout: 120_000 }, async () => {
    const { workspaceId, sourceId } = world;
    const appended: Promise<unknown>[] = [];
    const onProgress = () => void appended.push(append(workspaceId, sourceId, [document(`evt_meanwhile_${appended.length}`)]));
    const busy = { ...quiet, onProgress };
    await makeBackup(inFolder("busy.backup"), busy);
    await Promise.allSettled(appended); // many at once may wait for a connection for too long
    await append(workspaceId, sourceId, [document("evt_after")]);
    const url = await second.createDatabase();
    await restoreInto(url, inFolder("busy.backup"));
    expect(appended.length).toBeGreaterThan(5);
    const [counts] = await ask<{ events: string; keys: string }>(
      url,
      "SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM event_keys) AS keys",
    );
    expect(counts?.events).toBe(counts?.keys);
    await use(url);
    for (const { report } of await compareRestored(quiet)) expect(report).toMatchObject({ missing: 0, surplus: 0, different: 0 });
    await use(first.url());
  });

  it("is readable by its owner only, and holds no key of the vault", async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = zstdDecompressSync(readFileSync(file)).toString("latin1");
    expect(text).not.toContain(TEST_ENV.VAULT_KEYS.split(":")[1]);
    expect(text).not.toContain(TEST_ENV.NEXTAUTH_SECRET);
    expect(backup.head.keyIds).toEqual(["k1"]);
  });

  it("does not overwrite a file, and says where it can't write", async () => {
    await expect(makeBackup(file, quiet)).rejects.toThrow("already exists");
    await expect(makeBackup(inFolder("no/such/folder"), quiet)).rejects.toThrow("There is no folder");
    if (process.platform === "linux") await expect(makeBackup("/sys/a.backup", quiet)).rejects.toThrow("/sys is not writable");
  });

  it("that is stopped leaves no file", async () => {
    const stop = new AbortController();
    const stopped = makeBackup(inFolder("stopped.backup"), { now: new Date(), signal: stop.signal, onProgress: () => stop.abort() });
    await expect(stopped).rejects.toThrow();
    expect(readdirSync(folder).filter((name) => name.startsWith("stopped"))).toEqual([]);
  });
});

describe("a file that can't be restored", () => {
  const refuse = async (bytes: Buffer): Promise<string> => {
    const url = await second.createDatabase();
    writeFileSync(inFolder("bad.backup"), bytes);
    const words = await restoreInto(url, inFolder("bad.backup")).then(
      () => "restored",
      (error: Error) => `${error.name}: ${error.message}`,
    );
    if (words !== "restored") expect(await tablesOf(url)).toBe(0);
    return words;
  };
  const rewritten = (change: (text: string) => string): Buffer =>
    zstdCompressSync(Buffer.from(change(zstdDecompressSync(readFileSync(file)).toString("latin1")), "latin1"), {
      params: { [constants.ZSTD_c_checksumFlag]: 1 },
    });

  /** Its manifest made to fit a changed text, as only another version would. */
  const resealed = (text: string): string => {
    const [body = "", manifest = ""] = text.split(/^manifest /m);
    const sums = { bytes: body.length, sha256: createHash("sha256").update(body, "latin1").digest("hex") };
    return `${body}manifest ${JSON.stringify({ ...JSON.parse(manifest), ...sums })}\n`;
  };

  it.each([0.02, 0.5, 0.999])("is one cut off at %d of its length", { tags: ["deep"] }, async (share) => {
    const bytes = readFileSync(file);
    expect(await refuse(bytes.subarray(0, Math.floor(bytes.length * share)))).toContain("BackupError: The backup is incomplete");
  });

  it.each([0.1, 0.5, 0.9])("is one with a flipped bit at %d of its length", { tags: ["deep"] }, async (share) => {
    const bytes = Buffer.from(readFileSync(file));
    const at = Math.floor(bytes.length * share);
    bytes[at] = (bytes[at] ?? 0) ^ 4;
    expect(await refuse(bytes)).toMatch(/BackupError: The backup is (damaged|incomplete)/);
  });

  it("is one whose text was changed and compressed again", async () => {
    expect(await refuse(rewritten((text) => text.replace("wsp_backup\t", "wsp_backuq\t")))).toContain("The backup is damaged");
    expect(await refuse(rewritten((text) => text.slice(0, text.lastIndexOf("manifest "))))).toContain("The backup is incomplete");
    expect(await refuse(rewritten((text) => `${text}table views\n`))).toContain("The backup is damaged");
  });

  it("is one with anything behind its end: itself once more, a row of zeros, a word", { tags: ["deep"] }, async () => {
    const bytes = readFileSync(file);
    for (const more of [bytes, Buffer.alloc(4096), Buffer.from("x")])
      expect(await refuse(Buffer.concat([bytes, more]))).toContain("BackupError: The backup is damaged: the file continues after its end");
  });

  it("is one whose line does not end: it is given up long before a small file has unpacked to gigabytes", { tags: ["deep"] }, async () => {
    // Cut off, so that whoever unpacks it to the end calls it incomplete.
    const bomb = zstdCompressSync(Buffer.concat([Buffer.from('signalbox-backup {"format":1,'), Buffer.alloc(40 * 1_048_576, 32)]));
    expect(await refuse(bomb.subarray(0, bomb.length - 8))).toContain("This file is not a Signalbox backup.");
  });

  it("is one of a newer version, by its format or its schema", { tags: ["deep"] }, async () => {
    expect(await refuse(rewritten((text) => text.replace('"format":1', '"format":2')))).toContain("made by a newer version");
    const withFuture = (text: string) => resealed(text.replace('"migrations":[', '"migrations":["29990101000000_future",'));
    expect(await refuse(rewritten(withFuture))).toMatch(/newer version .* 29990101000000_future/);
    expect(await refuse(rewritten(resealed))).toBe("restored");
  });

  it("is one from before 1.0.0 that has not all migrations of the last commit before it; with all, it is restored", {
    tags: ["deep"],
  }, async () => {
    const withMigrations = (names: string[]) =>
      rewritten((text) => resealed(text.replace(/"migrations":\[[^\]]*\]/, `"migrations":${JSON.stringify(names)}`)));
    expect(await refuse(withMigrations(EARLIER_MIGRATIONS.slice(0, -1)))).toMatch(
      /^BackupError: This backup was made by a version before 1\.0\.0 .*Restore it with the version of the commit [0-9a-f]{8} /s,
    );
    expect(await refuse(withMigrations([...EARLIER_MIGRATIONS, ...LATER_MIGRATIONS]))).toBe("restored");
  });

  it("is one that is no backup at all", async () => {
    expect(await refuse(Buffer.from("PGDMP and so on"))).toContain("This file is not a Signalbox backup.");
    expect(await refuse(zstdCompressSync("hello\nworld\n"))).toContain("This file is not a Signalbox backup.");
    expect(await refuse(Buffer.alloc(0))).toContain("BackupError");
  });
});

describe("a restore that is stopped", () => {
  it.each(["loading", "indexes", "checking"])("while %s leaves no row, and can be begun again", { tags: ["deep"] }, async (at) => {
    const url = await second.createDatabase();
    const stop = new AbortController();
    const onProgress = ({ phase }: { phase: string }) => {
      if (phase === at) stop.abort(new Error("stopped"));
    };
    await expect(restoreInto(url, file, { signal: stop.signal, onProgress })).rejects.toThrow();
    expect(await ask(url, "SELECT (SELECT count(*)::int FROM events) + (SELECT count(*)::int FROM workspaces) AS n")).toEqual([{ n: 0 }]);
    await restoreInto(url);
    expect(await ask(url, "SELECT count(*)::int AS n FROM events WHERE event_id LIKE 'evt\\_1\\_%'")).toEqual([{ n: 400 }]);
  });

  it("in its last step, the statistics, has restored everything", { tags: ["deep"], timeout: 120_000 }, async () => {
    const url = await second.createDatabase();
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("CREATE SCHEMA other; CREATE TABLE other.held ()");
    await holder.query("BEGIN; LOCK other.held");
    try {
      const stop = new AbortController();
      const restored = restoreInto(url, file, { ...quiet, signal: stop.signal });
      const waits = () => ask(url, "SELECT 1 AS waits FROM pg_stat_activity WHERE query = 'ANALYZE' AND wait_event_type = 'Lock'");
      await expect.poll(waits, { timeout: 60_000 }).toEqual([{ waits: 1 }]);
      stop.abort(new Error("stopped"));
      await restored;
    } finally {
      await holder.end();
    }
    expect(await ask(url, "SELECT count(*)::int AS n FROM events WHERE event_id LIKE 'evt\\_1\\_%'")).toEqual([{ n: 400 }]);
  });
});
