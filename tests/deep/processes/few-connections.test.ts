import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { forget } from "#lib/context/once";
import { planConnections } from "#lib/db/connection-limits";
import { closeListening } from "#lib/db/notifications";
import { closePools, pool } from "#lib/db/pool";
import { setConnections } from "#lib/db/pool-sizes";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { findRebuild, requestRebuild } from "#lib/flows/views/rebuild-views";
import { accountFor } from "#lib/installation/embedded/account";
import { prepareBinaries, programPath, runProgram } from "#lib/installation/embedded/programs";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { contextOf } from "#tests/support/context";
import { TEST_ENV } from "#tests/support/environment";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { until } from "#tests/support/forwarding/senders";
import { makeOpenFolder } from "#tests/support/open-folder";
import { ownPort } from "#tests/support/own-port";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

// The smallest plans of providers (Heroku, DigitalOcean): 20 connections to a whole server.

const EVENTS = 400;

/** A PostgreSQL with max_connections = 20. @returns the address of a role that is no superuser */
async function startSmallServer(): Promise<string> {
  const folder = makeOpenFolder("signalbox-small-");
  const first = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: false });
  const client = new pg.Client({ connectionString: first.url });
  await client.connect();
  await client.query("CREATE ROLE app LOGIN PASSWORD 'app'");
  await client.query("CREATE DATABASE app OWNER app");
  await client.end();
  await first.stop();
  const [account, port] = [accountFor(first.directory, { isNew: false }), ownPort()];
  const control = programPath(prepareBinaries(account, folder), "pg_ctl");
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=20 -c fsync=off`;
  const log = path.join(first.directory, "small.log");
  await runProgram(control, ["start", "-w", "-D", first.directory, "-l", log, "-o", settings], account);
  onTestFinished(async () => {
    await closeListening();
    await closePools();
    forget("pool-sizes");
    await runProgram(control, ["stop", "-D", first.directory, "-m", "immediate", "-w"], account);
    rmSync(folder, { recursive: true, force: true });
  });
  return `postgresql://app:app@127.0.0.1:${port}/app`;
}

/** `npm start` for a worker alone. @returns what it printed, once it works */
async function startWorker(url: string, folder: string): Promise<() => string> {
  const { PATH = "" } = process.env;
  const own = { DATABASE_URL: url, DATA_DIR: folder, SANDBOX: "off", LOG_LEVEL: "warn" };
  const child: ChildProcess = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "lib/processes/start.ts", "--only=worker"],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...TEST_ENV, PATH, NODE_ENV: "production" as const, ...own },
    },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await until(
    () => printed,
    (text) => text.includes("Signalbox works") || child.exitCode !== null,
  );
  expect(child.exitCode).toBeNull();
  return () => printed;
}

test("on a server with 20 connections a web process and a worker receive, apply and rebuild, and none is ever refused", async () => {
  const url = await startSmallServer();
  const folder = makeOpenFolder("signalbox-small-data-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const printed = await startWorker(url, folder);
  expect(printed()).toContain("Too few connections: the server allows 17; a web process takes up to 19, a worker 25. Now a worker has 10");
  resetEnv({ ...TEST_ENV, DATABASE_URL: url, DATA_DIR: folder });
  const plan = await planConnections(url, ["web", "worker"], false);
  if (plan.outcome !== "shrunk") throw new Error(plan.outcome);
  setConnections("web", plan.sizes.web);

  const { workspaceId, source } = await makeWorkspace();
  const receiver = createReceiver();
  let most = 0;
  const watching = setInterval(() => {
    void pool("worker")
      .query<{ n: number }>("SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'app'")
      .then(({ rows }) => {
        most = Math.max(most, rows[0]?.n ?? 0);
      });
  }, 50);
  onTestFinished(() => clearInterval(watching));
  await Promise.all(
    Array.from({ length: EVENTS }, async () => {
      const { body, headers } = signed(envelope());
      expect((await receiveUntilKept(receiver, { source, headers, body })).status).toBe(200);
    }),
  );
  await Promise.all(Array.from({ length: 50 }, () => pool().query("SELECT pg_sleep(0.01)")));
  await until(
    async () => (await pool().query("SELECT 1 FROM waiting_in_log($1)", [workspaceId])).rowCount,
    (waiting) => waiting === 0,
  );
  const owner = ownerOf(workspaceId);
  const { rebuild } = await requestRebuild(contextOf(owner), false);
  await until(
    async () => (await findRebuild(workspaceId, rebuild.id))?.state,
    (state) => state === "done",
  );
  expect(await readReadiness(receiver.health)).toMatchObject({ status: "ready" });
  expect(most).toBeGreaterThan(5);
  expect(most).toBeLessThanOrEqual(17);
  expect(printed()).not.toContain("too many connections");
  expect(printed()).not.toContain("remaining connection slots");
});
