import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { fitOf, listKnownMigrations, migrate, newestKnownMigration, OLDEST_RUNNABLE } from "#lib/db/migrate";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { EARLIER_MIGRATIONS } from "#tests/support/earlier-migrations";
import { TEST_ENV } from "#tests/support/environment";
import { FaultyProxy } from "#tests/support/faulty-proxy";
import { temporaryFolder } from "#tests/support/temporary-folder";

const { url } = useDatabase();

const ROOT = path.resolve(import.meta.dirname, "../../..");
const FUTURE = "29990101000000_future";
const NODE = ["--disable-warning=ExperimentalWarning"];

/** Every process that works on the database: how it is started, and what it says where it works. */
const PROCESSES: [name: string, entry: string, options: string[]][] = [
  ["the start", "start", ["--only=migrate"]],
  ["the web process", "web", []],
  ["the worker", "worker", []],
  ["the doctor", "doctor", []],
  ["a backup", "backups/backup", [path.join(tmpdir(), `signalbox-newer-${process.pid}.backup`)]],
  ["a rebuild", "views-rebuild", ["--dry-run"]],
  ["a change of keys", "vault-rotate", []],
  ["a new password", "password-reset", ["nobody@example.com"]],
];

const setFloor = (migration: string) => pool().query("UPDATE schema_floor SET oldest_runnable = $1", [migration]);

const environment = () => ({
  ...{ ...process.env, ...TEST_ENV, NODE_ENV: "production" as const, SANDBOX: "off", LOG_LEVEL: "info" },
  ...{ DATABASE_URL: url(), DATA_DIR: temporaryFolder() },
});

/** Starts a process and lets it run until it ends or says the words; then it is killed. */
async function run(entry: string, options: string[], until: string) {
  const child = spawn(process.execPath, [...NODE, `lib/processes/${entry}.ts`, ...options], {
    cwd: ROOT,
    env: environment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(until)) child.kill("SIGKILL");
    });
  return { code: await ended, output };
}

beforeAll(async () => {
  await pool().query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ('future', '', $1, now(), 1)",
    [FUTURE],
  );
});

describe("a database that a newer version has prepared", () => {
  test.each(PROCESSES)(
    "%s refuses it when that version asks for newer code, in words and before anything else",
    async (_, entry, options) => {
      await setFloor(FUTURE);
      const { code, output } = await run(entry, options, "never said");
      expect(output).toContain(`A newer version of Signalbox has prepared this database: it has the migration ${FUTURE}`);
      expect(output).toContain(
        `It requires a version that knows the migration ${FUTURE}; the newest migration that this version knows is ${newestKnownMigration()}.`,
      );
      expect(output).toContain("Start the version that prepared the database, or use the database that belongs to this one.");
      expect(output).not.toMatch(/\n {4}at /);
      expect(code).toBe(1);
    },
    60_000,
  );

  test.each(PROCESSES)(
    "%s works on it while that version lets this one, and says so once",
    async (_, entry, options) => {
      await setFloor(newestKnownMigration());
      const warning = "This version can still run on it during a rolling update. Update it too.";
      const { output } = await run(entry, options, warning);
      expect(output.split(warning)).toHaveLength(2);
    },
    60_000,
  );

  test("a web process that started while the database was away ends when it answers, and says why", async () => {
    await setFloor(FUTURE);
    const proxy = await FaultyProxy.start(url());
    onTestFinished(() => proxy.close());
    await proxy.misbehave("refused");
    const { refuseLater } = await import("#lib/processes/database-checks");
    const exits: number[] = [];
    vi.spyOn(process, "exit").mockImplementation((code) => {
      exits.push(Number(code));
      return undefined as never;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const refused = refuseLater(new AbortController().signal, proxy.url);
    await proxy.misbehave("none");
    await refused;
    expect(exits).toEqual([1]);
  }, 30_000);

  test("the migrator itself refuses it, whoever calls it", async () => {
    await setFloor(FUTURE);
    await expect(migrate(url())).rejects.toThrow(`it has the migration ${FUTURE}`);
  });
});

test("the migrator says which code may run, and an older one never lowers it", async () => {
  await setFloor(newestKnownMigration());
  await migrate(url());
  expect((await pool().query("SELECT oldest_runnable AS floor FROM schema_floor")).rows).toEqual([{ floor: newestKnownMigration() }]);
  await pool().query("DELETE FROM schema_floor");
  await pool().query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [FUTURE]);
  await migrate(url());
  expect((await pool().query("SELECT oldest_runnable AS floor FROM schema_floor")).rows).toEqual([{ floor: OLDEST_RUNNABLE }]);
});

test("the oldest code that may run is not newer than this version; without a floor a newer schema is refused", () => {
  const known = listKnownMigrations();
  expect([...EARLIER_MIGRATIONS, ...known]).toContain(OLDEST_RUNNABLE);
  expect(fitOf({ ledger: known, known, floor: FUTURE })).toEqual({ outcome: "known" });
  expect(fitOf({ ledger: [...known, FUTURE], known, floor: null }).outcome).toBe("too_new");
  expect(fitOf({ ledger: [...known, FUTURE], known, floor: known[0] ?? "" }).outcome).toBe("newer");
});

test("a Node that is too old gets a sentence from npm's commands, and no stack", () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
  for (const name of ["start", "dev", "worker", "doctor", "backup", "restore", "test"])
    expect(scripts[`pre${name}`], name).toMatch(/^node tools\/node-version\.mjs\b/);
  const judge = (version: string) => spawnSync(process.execPath, ["tools/node-version.mjs", version], { cwd: ROOT, encoding: "utf8" });
  expect(judge("20.19.0")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^This is Node 20\.19\.0; .*Node 24.*\nRun npm ci, /),
  });
  expect(judge("24.0.0")).toMatchObject({ status: 0, stderr: "" });
});
