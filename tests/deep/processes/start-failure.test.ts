import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { pool } from "#lib/db/pool";
import { SECRETS_FILE } from "#lib/installation/secrets-file";
import { useDatabase } from "#tests/support/database";
import { runDoctor } from "#tests/support/doctor";
import { TEST_ENV } from "#tests/support/environment";
import { FaultyProxy } from "#tests/support/faulty-proxy";
import { mayMount } from "#tests/support/limited-disk";
import { makeOpenFolder } from "#tests/support/open-folder";
import { ownPort } from "#tests/support/own-port";
import { temporaryFolder } from "#tests/support/temporary-folder";

/** Prepares a database in a folder as `npm start` does, and ends. */
function start(dataDir: string): { code: number | null; words: string } {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "lib/processes/start.ts", "--only=migrate"],
    {
      env: { PATH, HOME, NODE_COMPILE_CACHE, NODE_ENV: "production", DATA_DIR: dataDir },
      encoding: "utf8",
      timeout: 120_000,
    },
  );
  return { code: status, words: stderr };
}

/** A folder on a disk of its own. */
function mounted(options: string): string {
  const folder = makeOpenFolder("signalbox-start-");
  execFileSync("mount", ["-t", "tmpfs", "-o", `mode=0777,${options}`, "tmpfs", folder]);
  onTestFinished(() => {
    execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

describe("a start that can't write DATA_DIR says so, and what to do", () => {
  it.runIf(mayMount())("on a read-only disk", () => {
    const folder = mounted("ro");
    const { code, words } = start(folder);
    expect(words).toContain(`DATA_DIR (${folder}) can't be written: its file system is read-only. Make it writable for this account`);
    expect(code).toBe(1);
  });

  it.runIf(mayMount())(
    "on a full disk, and leaves nothing half made",
    () => {
      const folder = mounted("size=20m");
      const { code, words } = start(folder);
      expect(words).toContain(`The disk of DATA_DIR (${folder}) is full. Nothing is lost: free some space and start again.`);
      expect(code).toBe(1);
      execFileSync("mount", ["-o", "remount,size=200m", folder]);
      expect(start(folder)).toMatchObject({ code: 0 });
    },
    120_000,
  );

  it("without the secrets of data that exist, and generates none", () => {
    const folder = makeOpenFolder("signalbox-start-");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(start(folder)).toMatchObject({ code: 0 });
    const file = path.join(folder, SECRETS_FILE);
    const kept = readFileSync(file, "utf8");
    rmSync(file);
    const { code, words } = start(folder);
    expect(words).toContain(`${file} is missing, and there is data that belongs to it. Nothing was generated or changed.`);
    expect(code).toBe(1);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, kept, { mode: 0o600 });
    expect(start(folder)).toMatchObject({ code: 0 });
  }, 120_000);

  it("under a file", () => {
    const folder = makeOpenFolder("signalbox-start-");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    const { code, words } = start(path.join(file, "data"));
    expect(words).toContain("can't be written: a part of its path is a file.");
    expect(code).toBe(1);
  });
});

describe("a worker of its own", () => {
  const { url } = useDatabase();

  it("doesn't work on a database that its version has not prepared, and says who prepares it", async () => {
    const { rows } = await pool().query<{ name: string }>(
      "DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations) RETURNING migration_name AS name",
    );
    const { status, stderr } = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", "lib/processes/worker.ts"], {
      env: { ...process.env, ...TEST_ENV, NODE_ENV: "production", DATABASE_URL: url(), SANDBOX: "off" },
      encoding: "utf8",
      timeout: 120_000,
    });
    expect(stderr).toContain(`The database lacks migrations of this version, the first is ${rows[0]?.name}.`);
    expect(stderr).toContain("npm start");
    expect(status).toBe(1);
  }, 120_000);
});

describe("the doctor", () => {
  const { url } = useDatabase();

  const complains = (environment: Record<string, string>, words: RegExp) => {
    const { code, lines } = runDoctor({ DATABASE_URL: url(), DATA_DIR: temporaryFolder(), ...environment });
    expect(lines).toContainEqual(expect.stringMatching(words));
    expect(code).toBe(1);
  };

  it("says that BACKUP_DIR can't be written", () => {
    complains({ BACKUP_DIR: "package.json/backups" }, /✗ failed {5}backups .*BACKUP_DIR .* can't be written/);
  }, 120_000);

  it.runIf(mayMount())(
    "says that the disk is full on which a start fails",
    () => complains({ DATA_DIR: mounted("size=20m") }, /✗ failed .*: the disk is full, 0\.0 GB left\. Free up space/),
    120_000,
  );
});

describe("a start while the database is away", () => {
  const { url } = useDatabase();

  /** A process of the product, and all that it has printed. */
  function run(entry: string, options: string[], databaseUrl: string, environment: Record<string, string> = {}) {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", `lib/processes/${entry}.ts`, ...options], {
      env: {
        ...process.env,
        ...TEST_ENV,
        NODE_ENV: "production",
        SANDBOX: "off",
        LOG_LEVEL: "info",
        DATA_DIR: temporaryFolder(),
        DATABASE_URL: databaseUrl,
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
    const ready = new Promise((resolve) => child.once("message", resolve));
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    return {
      child,
      ended,
      ready,
      said: (words: string) => vi.waitFor(() => expect(output).toContain(words), 30_000),
      /** Each line is JSON: nobody reads along at a terminal. */
      words: () =>
        output
          .trim()
          .split("\n")
          .map((line) => (JSON.parse(line) as { msg: string }).msg),
    };
  }

  async function away(): Promise<FaultyProxy> {
    const proxy = await FaultyProxy.start(url());
    onTestFinished(() => proxy.close());
    await proxy.misbehave("refused");
    return proxy;
  }

  it("waits for it, says so, and goes on when it answers", async () => {
    const proxy = await away();
    const start = run("start", ["--only=migrate"], proxy.url);
    await start.said("Waiting for the database:");
    expect(start.child.exitCode).toBeNull();
    await proxy.misbehave("none");
    await start.said("has prepared the database");
    expect(await start.ended).toBe(0);
  }, 90_000);

  it("says at the port of the web process that it waits, and ends in order when it is stopped", async () => {
    const proxy = await away();
    const port = ownPort();
    const start = run("start", ["--only=web"], proxy.url, { PORT: String(port) });
    await start.said("Waiting for the database:");
    const ask = (path: string, method = "GET") => fetch(`http://127.0.0.1:${port}${path}`, { method });
    await vi.waitFor(async () => expect((await ask("/health/live")).status).toBe(200), 30_000);
    const ready = await ask("/health/ready");
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      status: "not_ready",
      database: { ok: false, detail: "does not respond: the start waits for it" },
    });
    const webhook = await ask("/webhooks/platform", "POST");
    expect([webhook.status, webhook.headers.get("retry-after")]).toEqual([503, "5"]);
    start.child.kill("SIGTERM");
    expect(await start.ended).toBe(0);
  }, 90_000);

  it("a worker waits too, instead of ending the installation with its third death", async () => {
    const proxy = await away();
    const worker = run("worker", [], proxy.url);
    await worker.said("waiting for the database");
    expect(worker.child.exitCode).toBeNull();
    await proxy.misbehave("none");
    await worker.ready;
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
  }, 90_000);

  it.each([
    ["a wrong password", (address: URL) => (address.password = "wrong"), /password authentication failed/],
    ["an unknown database", (address: URL) => (address.pathname = "/nowhere"), /database "nowhere" does not exist/],
  ])(
    "does not wait with %s",
    async (_, spoil, words) => {
      const address = new URL(url());
      spoil(address);
      const start = run("start", ["--only=migrate"], address.href);
      expect(await start.ended).toBe(1);
      expect(start.words().at(-1)).toMatch(words);
      expect(start.words().join()).not.toContain("Waiting");
    },
    90_000,
  );
});
