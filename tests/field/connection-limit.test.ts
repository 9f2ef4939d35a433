import { spawnSync } from "node:child_process";
import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import { forget } from "#lib/context/once";
import { planConnections } from "#lib/db/connection-limits";
import { closePools, pool } from "#lib/db/pool";
import { LEAST_CONNECTIONS, poolOf, poolSize, setConnections } from "#lib/db/pool-sizes";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { markAlive } from "#lib/processing/heartbeat-store";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { temporaryFolder } from "#tests/support/temporary-folder";

// ALTER ROLE … CONNECTION LIMIT 8, tried here: webhooks got 200, nothing was applied, and readiness said that all works.

const database = useDatabase();

afterEach(async () => {
  await closePools();
  forget("pool-sizes");
  resetEnv({ DATABASE_URL: database.url(), DATABASE_POOL: "" });
  await pool().query("DROP OWNED BY limited; DROP ROLE limited");
});

const limited = (limit: number) => `ALTER ROLE limited CONNECTION LIMIT ${limit}`;

async function becomeLimited(limit: number): Promise<string> {
  await pool().query(`CREATE ROLE limited LOGIN PASSWORD 'limited'; ${limited(limit)};
    GRANT ALL ON ALL TABLES IN SCHEMA public TO limited; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO limited`);
  const url = new URL(database.url());
  Object.assign(url, { username: "limited", password: "limited" });
  await closePools();
  resetEnv({ DATABASE_URL: url.href });
  return url.href;
}

it("a role with too few connections is not ready, and the limit is named: by who is refused, and by the worker to others", async () => {
  await becomeLimited(20);
  // One that listens would be refused whenever it connects.
  const { health } = createReceiver({ onSourceChange: () => undefined });
  await markAlive();
  expect(await readReadiness(health)).toMatchObject({ database: { ok: true }, worker: { ok: true } });
  // Those of the pages stay connected, so that only the pools that open one are refused.
  await Promise.all(Array.from({ length: poolSize("web") }, () => pool().query("SELECT pg_sleep(0.1)")));
  expect(pool().totalCount).toBe(poolSize("web"));
  const owner = new pg.Client(database.url());
  await owner.connect();
  await owner.query(limited(1));
  // Both, before this process forgets what it was refused.
  const refused = { status: "rejected", reason: { code: "53300" } };
  expect(await Promise.allSettled([pool("claims").query("SELECT 1"), pool("queue").query("SELECT 1")])).toMatchObject([refused, refused]);
  const cause = /too many connections for role "limited"\): allow 19 for each web process and 25 for each worker, or set DATABASE_POOL/;
  expect(await readReadiness(health)).toMatchObject({
    status: "not_ready",
    database: { ok: false, detail: expect.stringMatching(cause) },
  });
  await markAlive();
  forget("database-outage"); // as a web process that was refused nothing
  expect(await readReadiness(health)).toMatchObject({
    status: "not_ready",
    database: { ok: true },
    worker: { ok: false, detail: expect.stringMatching(cause) },
  });
  await owner.query(limited(20));
  await owner.end();
  forget("database-outage"); // a minute later
  await markAlive();
  expect((await readReadiness(health)).worker).toMatchObject({ ok: true, detail: "works" });
});

/** A start that only prepares the database, or with a worker. @returns its exit code and the lines that warn or fail */
function start(url: string, only: "migrate" | "worker", more: Record<string, string> = {}): { code: number | null; lines: string[] } {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  const own = { DATABASE_URL: url, DATA_DIR: temporaryFolder(), SANDBOX: "off", ...more };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "lib/processes/start.ts", `--only=${only}`],
    { encoding: "utf8", env: { ...TEST_ENV, PATH, NODE_COMPILE_CACHE, NODE_ENV: "production" as const, ...own } },
  );
  return { code: status, lines: `${stdout}${stderr}`.split("\n").filter((line) => /"level":(40|50|60)/.test(line)) };
}

async function becomeOwnerLimited(limit: number): Promise<string> {
  const url = await becomeLimited(limit);
  resetEnv({ DATABASE_URL: database.url() });
  await pool().query(`GRANT ${new URL(database.url()).username} TO limited`);
  return url;
}

const TWENTY =
  'Too few connections: the role allows 20; a web process takes up to 19, a worker 25. Now a web process has 7, a worker 11: slower under load. Raise it (ALTER ROLE "limited" CONNECTION LIMIT 44), or set DATABASE_POOL where more processes share it.';
const TWELVE =
  'Too few connections: the role allows 12; a web process needs at least 7, a worker 10. Raise it (ALTER ROLE "limited" CONNECTION LIMIT 44), or at least to 17.';

it("a limit of 20 connections is divided among a web process and a worker, and the start says so in one line", async () => {
  const { code, lines } = start(await becomeOwnerLimited(20), "migrate");
  expect(lines).toEqual([expect.stringContaining(JSON.stringify(TWENTY).slice(1, -1))]);
  expect(code).toBe(0);
});

it("a limit of 12 is too few for both: that is said where only the database is prepared, and a worker that starts takes its least", async () => {
  const url = await becomeOwnerLimited(12);
  expect(await planConnections(url, ["web", "worker"], false)).toEqual({ outcome: "too_few", words: TWELVE });
  expect(await planConnections(url, ["worker"], false)).toMatchObject({ outcome: "shrunk", sizes: { worker: 10 } });
  expect(start(url, "migrate")).toEqual({ code: 0, lines: [expect.stringContaining(JSON.stringify(TWELVE).slice(1, -1))] });
});

it("a start that can't work with what is allowed is refused, and so is a DATABASE_POOL below the least of a process", async () => {
  const few = start(await becomeOwnerLimited(8), "worker");
  expect([few.code, few.lines.join()]).toEqual([1, expect.stringContaining("the role allows 8; a worker needs at least 10. Raise it")]);
  const own = start(database.url(), "worker", { DATABASE_POOL: "8" });
  expect([own.code, own.lines.join()]).toEqual([
    1,
    expect.stringContaining(
      "DATABASE_POOL allows 8 connections; a worker needs at least 10: web 2, receiver-large 1, worker 3, claims 1, queue 1, forwarding 1, listen 1.",
    ),
  ]);
});

it("DATABASE_POOL is what one process takes: started alone it is held against the limit, others have theirs", async () => {
  const url = await becomeLimited(20);
  resetEnv({ DATABASE_POOL: "8" });
  expect(await planConnections(url, ["web"], true)).toEqual({ outcome: "fits", sizes: { web: 8, worker: 8 } });
  resetEnv({ DATABASE_POOL: "12" });
  expect(await planConnections(url, ["web", "worker"], true)).toMatchObject({ outcome: "shrunk", sizes: { web: 8, worker: 10 } });
  setConnections("web", 8);
  const sizes = (["web", "receiver", "receiver-large", "worker"] as const).map(poolSize);
  expect([sizes, sizes.reduce((sum, size) => sum + size, 1), poolOf("forwarding")]).toEqual([[3, 1, 1, 2], 8, "worker"]);
});

it("a web process with its fewest connections receives and tests destinations while pages want more than theirs", async () => {
  const url = await becomeLimited(LEAST_CONNECTIONS.web);
  setConnections("web", LEAST_CONNECTIONS.web);
  const listening = new pg.Client(url);
  await listening.connect();
  const pages = Array.from({ length: 4 }, () => pool().connect());
  const others = await Promise.all((["receiver", "receiver-large", "forwarding"] as const).map((name) => pool(name).connect()));
  expect(pool().totalCount).toBe(2);
  for (const client of others) client.release();
  for (const page of pages) (await page).release();
  await listening.end();
});

it("doctor's look names a limit below what one web process and one worker need", async () => {
  const plan = await planConnections(await becomeLimited(8), ["web", "worker"], false);
  expect(plan).toMatchObject({
    outcome: "too_few",
    words: expect.stringMatching(/^Too few connections: the role allows 8; a web process needs/),
  });
  expect(await planConnections(database.url(), ["web", "worker"], false)).toMatchObject({
    outcome: "fits",
    sizes: { web: 19, worker: 25 },
  });
});
