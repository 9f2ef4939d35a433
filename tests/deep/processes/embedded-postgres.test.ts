import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { locateCluster, moveInCommand } from "#lib/installation/embedded/cluster";
import { isServerRunning } from "#lib/installation/embedded/postmaster";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { temporaryFolder } from "#tests/support/temporary-folder";

async function ask(server: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function newDirectory(): { directory: string; start: () => Promise<EmbeddedPostgres> } {
  const directory = path.join(temporaryFolder(), "postgres");
  const start = async () => {
    const server = await startEmbeddedPostgres({ directory, port: 0 });
    onTestFinished(() => server.stop());
    return server;
  };
  return { directory, start };
}

test("two starts at the same moment on new data get one server", async () => {
  const { start } = newDirectory();
  const [one, two] = await Promise.all([start(), start()]);
  expect(one.port).toBe(two.port);
  expect([one.outcome, two.outcome].sort()).toEqual(["attached", "created"]);
});

test("a server that was killed is started again with everything that was committed", async () => {
  const { directory, start } = newDirectory();
  const first = await start();
  await ask(first, "CREATE TABLE kept AS SELECT 7 AS value");
  process.kill(Number(readFileSync(path.join(directory, "postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL");
  while (isServerRunning(directory)) await sleep(20);
  const second = await start();
  expect(second.outcome).toBe("started");
  expect(await ask(second, "SELECT value FROM kept")).toEqual([{ value: 7 }]);
});

test("the data of an installation is written through to disk", async () => {
  const server = await newDirectory().start();
  expect(await ask(server, "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS sync")).toEqual([
    { fsync: "on", sync: "on" },
  ]);
});

test("nobody gets in without the password", async () => {
  const server = await newDirectory().start();
  const guess = new URL(server.url);
  guess.password = "guess";
  await expect(ask({ ...server, url: guess.href }, "SELECT 1")).rejects.toThrow(/password/);
});

test("a start whose password file is lost makes it anew and keeps every event", async () => {
  const { directory, start } = newDirectory();
  const first = await start();
  await ask(first, "CREATE TABLE kept AS SELECT 7 AS value");
  rmSync(`${directory}.password`);
  await expect(start()).rejects.toThrow(/End that process and start again/);
  await first.stop();
  const second = await start();
  expect(second.outcome).toBe("started");
  expect(await ask(second, "SELECT value FROM kept")).toEqual([{ value: 7 }]);
  await expect(ask({ ...second, url: first.url.replace(/:[0-9]+\//, `:${second.port}/`) }, "SELECT 1")).rejects.toThrow(/password/);
});

test("a start that was cut off while it made the database is begun again; only its own folder is removed", async () => {
  const { directory, start } = newDirectory();
  mkdirSync(`${directory}.new-0123456789ab`, { recursive: true });
  writeFileSync(path.join(`${directory}.new-0123456789ab`, "PG_VERSION"), "18");
  mkdirSync(`${directory}.newer`);
  const server = await start();
  expect(server.outcome).toBe("created");
  expect(readdirSync(path.dirname(directory)).filter((name) => name.startsWith("postgres.new"))).toEqual(["postgres.newer"]);
});

describe.skipIf(process.getuid?.() !== 0)("root, below a folder of mode 700", () => {
  const closedDirectory = () => {
    const made = newDirectory();
    chmodSync(path.dirname(made.directory), 0o700);
    return made;
  };

  test("the data lies in DATA_DIR: a copy of the folder is a database of its own", async () => {
    const { directory, start } = closedDirectory();
    const first = await start();
    expect(first).toMatchObject({ outcome: "created", directory, opened: [] });
    expect(statSync(path.dirname(directory)).mode & 0o777).toBe(0o700);
    await ask(first, "CREATE TABLE kept AS SELECT 7 AS value");
    await first.stop();
    const copy = closedDirectory();
    execFileSync("cp", ["-a", `${path.dirname(directory)}/.`, path.dirname(copy.directory)]);
    const [original, second] = [await start(), await copy.start()];
    await ask(second, "INSERT INTO kept VALUES (8)");
    expect(await ask(original, "SELECT value FROM kept")).toEqual([{ value: 7 }]);
    expect(await ask(second, "SELECT value FROM kept ORDER BY value")).toEqual([{ value: 7 }, { value: 8 }]);
  });

  test("a folder that is closed after the database was made, or a handed-over database, is no other database", async () => {
    const { directory, start } = newDirectory();
    const first = await start();
    await ask(first, "CREATE TABLE kept AS SELECT 7 AS value");
    await first.stop();
    chmodSync(path.dirname(directory), 0o700);
    await expect(start()).rejects.toThrow(/which can't enter .*Nothing was changed\. Run: chmod o\+x/);
    for (const entry of ["", ...readdirSync(directory, { recursive: true, encoding: "utf8" })])
      chownSync(path.join(directory, entry), 0, 0);
    expect(await ask(await start(), "SELECT value FROM kept")).toEqual([{ value: 7 }]);
  });

  test("a database that an earlier version put elsewhere goes on there, a copy of its folder does not touch it, and it can be moved in", async () => {
    const { directory, start } = newDirectory();
    const moved = newDirectory().directory;
    const first = await start();
    await ask(first, "CREATE TABLE kept AS SELECT 7 AS value");
    await first.stop();
    renameSync(directory, moved);
    writeFileSync(`${directory}.location`, moved);
    chmodSync(path.dirname(directory), 0o700);
    const second = await start();
    expect(second).toMatchObject({ outcome: "started", directory: moved });
    await second.stop();
    const copy = closedDirectory();
    execFileSync("cp", ["-a", `${path.dirname(directory)}/.`, path.dirname(copy.directory)]);
    await expect(copy.start()).rejects.toThrow(/is a copy of .*Nothing was changed/);
    execFileSync("sh", ["-c", moveInCommand(locateCluster(directory)) ?? ""]);
    const third = await start();
    expect(third).toMatchObject({ outcome: "started", directory });
    expect(await ask(third, "SELECT value FROM kept")).toEqual([{ value: 7 }]);
  });

  test("umask 077 at the first start leaves a database that later starts open", async () => {
    const umask = process.umask(0o077);
    onTestFinished(() => void process.umask(umask));
    const folder = temporaryFolder();
    const start = () => startEmbeddedPostgres({ directory: path.join(folder, "data/postgres"), port: 0 });
    const first = await start();
    await first.stop();
    const second = await start();
    onTestFinished(() => second.stop());
    expect(second.outcome).toBe("started");
  });
});
