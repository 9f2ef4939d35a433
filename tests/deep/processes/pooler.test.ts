import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import { requireSessions } from "#lib/db/database-server";
import { listen, notifySoon } from "#lib/db/notifications";
import { closePools, pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
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

// PgBouncer, where it is installed (Debian: apt-get install pgbouncer).
const PGBOUNCER = "/usr/sbin/pgbouncer";
const database = useDatabase();
let pooler: ChildProcess | undefined;

afterEach(async () => {
  await closePools();
  pooler?.kill("SIGKILL");
  resetEnv({ DATABASE_URL: database.url() });
});

/** Starts PgBouncer before the test's database. @returns the address that leads through it */
async function startPooler(mode: "session" | "transaction", size = 30): Promise<string> {
  const folder = makeOpenFolder("signalbox-pooler-");
  const server = new URL(database.url());
  const port = ownPort();
  const file = path.join(folder, "pgbouncer.ini");
  writeFileSync(path.join(folder, "users.txt"), `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
  writeFileSync(
    file,
    `[databases]\n* = host=${server.hostname} port=${server.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
auth_type = scram-sha-256\nauth_file = ${folder}/users.txt\npool_mode = ${mode}\ndefault_pool_size = ${size}\nmax_client_conn = 200\nunix_socket_dir =\n`,
  );
  chmodSync(folder, 0o755);
  const account = accountFor(path.join(folder, "postgres"), { isNew: true });
  pooler = spawn(PGBOUNCER, ["-q", file], { stdio: "ignore", ...(account && { uid: account.uid, gid: account.gid }) });
  pooler.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const url = new URL(server);
  url.port = String(port);
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

describe.skipIf(!existsSync(PGBOUNCER))("behind PgBouncer", () => {
  it("everything works in session mode, with the limits of its sessions", async () => {
    const url = await startPooler("session");
    expect(await asked(url)).toBe("fine");
    resetEnv({ DATABASE_URL: url });
    const { workspaceId, source } = await makeWorkspace();
    const heard = new Promise<string>((resolve) => listen("appended", (told) => told !== "" && resolve(told)));
    const { body, headers } = signed(envelope());
    expect((await receiveUntilKept(createReceiver(), { source, headers, body })).status).toBe(200);
    notifySoon(pool("receiver"), "appended", workspaceId);
    expect(await heard).toBe(workspaceId);
    await drainInbox();
    expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject({ events: 1, missing: 0, surplus: 0, different: 0 });
    const { rows } = await pool("receiver").query(
      "SELECT current_setting('statement_timeout') AS ms, current_setting('synchronous_commit') AS sync",
    );
    expect(rows).toEqual([{ ms: "2s", sync: "on" }]);
  });

  it.each([30, 1])("the start says what to do about transaction mode with a pool of %d", async (size) => {
    expect(await asked(await startPooler("transaction", size))).toContain("a connection pooler in transaction mode");
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
