import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
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
