import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import { requireSessions } from "#lib/db/database-server";
import { listen, notifySoon } from "#lib/db/notifications";
import { closePools, pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { makeBackup } from "#lib/flows/installation/backup/make-backup";
import { startDatabase } from "#lib/installation/database";
import { accountFor } from "#lib/installation/embedded/account";
import { useDatabase } from "#tests/support/database";
import { runDoctor } from "#tests/support/doctor";
import { drainInbox } from "#tests/support/log-writer";
import { makeOpenFolder } from "#tests/support/open-folder";
import { ownPort } from "#tests/support/own-port";
import { rebuild } from "#tests/support/rebuild";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

// PgBouncer, where it is installed (Debian: apt-get install pgbouncer; another one by TEST_PGBOUNCER).
const PGBOUNCER = process.env.TEST_PGBOUNCER ?? "/usr/sbin/pgbouncer";
/** From 1.21 on (max_prepared_statements). */
const KEEPS_STATEMENTS =
  existsSync(PGBOUNCER) && Number(/ 1\.(\d+)/.exec(spawnSync(PGBOUNCER, ["--version"], { encoding: "utf8" }).stdout)?.[1]) >= 21;
/** What it is called in the pooler that names its databases. */
const ALIAS = "hooks";
const database = useDatabase();
let pooler: ChildProcess | undefined;

afterEach(async () => {
  await closePools();
  pooler?.kill("SIGKILL");
  resetEnv({ DATABASE_URL: database.url(), DATABASE_DIRECT_URL: "" });
});

type PoolerOptions = { size?: number; named?: boolean; more?: string };

/** Starts PgBouncer before the test's database. @returns the address that leads through it */
async function startPooler(
  mode: "session" | "transaction" | "statement",
  { size = 30, named = false, more = "" }: PoolerOptions = {},
): Promise<string> {
  const folder = makeOpenFolder("signalbox-pooler-");
  const server = new URL(database.url());
  const port = ownPort();
  const file = path.join(folder, "pgbouncer.ini");
  writeFileSync(path.join(folder, "users.txt"), `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
  writeFileSync(
    file,
    `[databases]\n${named ? ALIAS : "*"} = host=${server.hostname} port=${server.port}${named ? ` dbname=${server.pathname.slice(1)}` : ""}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
auth_type = scram-sha-256\nauth_file = ${folder}/users.txt\npool_mode = ${mode}\ndefault_pool_size = ${size}\nmax_client_conn = 200\nunix_socket_dir =\n${more}`,
  );
  chmodSync(folder, 0o755);
  const account = accountFor(path.join(folder, "postgres"), { isNew: true });
  pooler = spawn(PGBOUNCER, ["-q", file], { stdio: "ignore", ...(account && { uid: account.uid, gid: account.gid }) });
  pooler.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const url = new URL(server);
  url.port = String(port);
  if (named) url.pathname = `/${ALIAS}`;
  return url.href;
}

/** The pooler may take a moment to listen. */
const asked = async (url: string): Promise<string> => {
  for (let tries = 0; ; tries += 1) {
    const words = await requireSessions(url).then(
      () => "fine",
      (error: Error) => error.message,
    );
    if (!words.includes("ECONNREFUSED") || tries > 50) return words;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** Says it again until it is heard: LISTEN may connect later than the first. */
async function expectHeard(workspaceId: string): Promise<void> {
  const heard = new Set<string>();
  const stop = listen("appended", (told) => heard.add(told));
  await expect
    .poll(() => {
      notifySoon(pool("receiver"), "appended", workspaceId);
      return [...heard];
    })
    .toContain(workspaceId);
  stop();
}

describe.skipIf(!existsSync(PGBOUNCER))("behind PgBouncer", () => {
  it("everything works in session mode, with the limits of its sessions", async () => {
    const url = await startPooler("session");
    expect(await asked(url)).toBe("fine");
    resetEnv({ DATABASE_URL: url });
    const { workspaceId, source } = await makeWorkspace();
    const { body, headers } = signed(envelope());
    expect((await receiveUntilKept(createReceiver(), { source, headers, body })).status).toBe(200);
    await expectHeard(workspaceId);
    await drainInbox();
    expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject({ events: 1, missing: 0, surplus: 0, different: 0 });
    const { rows } = await pool("receiver").query(
      "SELECT current_setting('statement_timeout') AS ms, current_setting('synchronous_commit') AS sync",
    );
    expect(rows).toEqual([{ ms: "2s", sync: "on" }]);
  });

  it("everything works with a database that has another name there, beside the direct address", async () => {
    const url = await startPooler("session", { named: true });
    expect(await asked(url)).toBe("fine");
    resetEnv({ DATABASE_URL: url, DATABASE_DIRECT_URL: database.url() });
    expect(await startDatabase()).toBeNull();
    const { workspaceId, source } = await makeWorkspace();
    const { body, headers } = signed(envelope());
    expect((await receiveUntilKept(createReceiver(), { source, headers, body })).status).toBe(200);
    await expectHeard(workspaceId);
    await drainInbox();
    expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject({ events: 1, missing: 0, surplus: 0, different: 0 });
    const file = path.join(temporaryFolder(), "pooled.backup");
    const made = await makeBackup(file, { now: new Date(), signal: new AbortController().signal, onProgress: () => undefined });
    expect(made.manifest.tables.find(({ name }) => name === "events")?.rows).toBeGreaterThan(0);
    const { lines } = runDoctor({ DATABASE_URL: url, DATABASE_DIRECT_URL: database.url(), DATA_DIR: temporaryFolder() });
    expect(lines).toContainEqual(expect.stringMatching(/✓ .*database.* migrations up to date/));
  }, 120_000);

  it("without the direct address a test restore says what it lacks", async () => {
    const url = await startPooler("session", { named: true });
    expect(await asked(url)).toBe("fine");
    const other = new URL(url);
    other.pathname = "/signalbox_proof_0a1b2c3d4e5f";
    expect(await asked(other.href)).toMatch(/no such database/);
  });

  const MODES: PoolerOptions[] = [{ size: 30 }, { size: 1 }, ...(KEEPS_STATEMENTS ? [{ more: "max_prepared_statements = 200\n" }] : [])];

  it.each(MODES)("the start says what to do about transaction mode with %j", async (options) => {
    expect(await asked(await startPooler("transaction", options))).toContain("a connection pooler in transaction mode");
  });

  it("the start refuses statement mode, and does not wait for it", async () => {
    expect(await asked(await startPooler("statement"))).toContain("a connection pooler in statement mode");
  });

  it("the doctor says so, too", async () => {
    const url = await startPooler("transaction");
    await asked(url);
    const { code, lines } = runDoctor({ DATABASE_URL: url, DATA_DIR: temporaryFolder() });
    expect(lines).toContainEqual(expect.stringMatching(/✗ failed .*a connection pooler in transaction mode/));
    expect(code).toBe(1);
  }, 120_000);
});

it("a direct connection keeps its session", async () => {
  await expect(requireSessions(database.url())).resolves.toBeUndefined();
});
