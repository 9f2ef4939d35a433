import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { connectionOptions, DatabaseClient } from "#lib/db/client";
import { accountFor } from "./embedded/account.ts";
import {
  type Cluster,
  clusterPassword,
  createCluster,
  inspectCluster,
  isMissing,
  locateCluster,
  ROLE,
  recordOwner,
  renewPassword,
} from "./embedded/cluster.ts";
import { answersFor, findFreePort, findPostmaster, type Postmaster } from "./embedded/postmaster.ts";
import { prepareBinaries, programPath, runProgram, saysDiskFull } from "./embedded/programs.ts";
import { processStart, takeLock } from "./process-lock.ts";

export type EmbeddedPostgres = {
  /** With its password: not for logs. */
  url: string;
  port: number;
  /** Not always the requested one (see `locateCluster`). */
  directory: string;
  /** `attached`: took over a server that a killed start left behind. */
  outcome: "created" | "started" | "attached";
  /** Folders above the data that other accounts may pass since this call (see `createCluster`). */
  opened: string[];
  /** The data is complete on disk when this returns. */
  stop: () => Promise<void>;
};

export type EmbeddedPostgresOptions = {
  directory: string;
  /** Preferred; a free one is taken when it is busy. */
  port?: number;
  database?: string;
  /** False trades safety for speed, for tests. */
  durable?: boolean;
};

const START_LIMIT_MS = 60_000;
const RETRY_MS = 150;
/** A server whose data are gone has this long to end. */
const GONE_MS = 2000;
const PREFERRED_PORT = 54329;

/** Starts the built-in PostgreSQL, or attaches to the running one; simultaneous calls get one server. @throws Error in words */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const asked = path.resolve(options.directory);
  mkdirSync(path.dirname(asked), { recursive: true });
  const release = await waitForLock(`${asked}.lock`);
  try {
    const place = locateCluster(asked);
    const state = inspectCluster(place);
    const cluster: Cluster = { ...place, account: accountFor(place.directory, { isNew: state === "none" }) };
    if (state === "none" && cluster.account === undefined) requireEntry();
    const native = prepareBinaries(cluster.account, path.dirname(asked));
    const durable = options.durable ?? true;
    const opened = state === "none" ? await createCluster(cluster, native, { durable }) : [];
    recordOwner(place);
    if (state === "password_lost") await recoverPassword(cluster, native);
    const server = await startOrAttach(cluster, native, { port: options.port ?? PREFERRED_PORT, durable });
    const database = options.database ?? "signalbox";
    await ensureDatabase(connectionUrl(cluster, server.port, "postgres"), database);
    return {
      url: connectionUrl(cluster, server.port, database),
      port: server.port,
      directory: cluster.directory,
      outcome: state === "none" ? "created" : server.attached ? "attached" : "started",
      opened,
      stop: () => stopServer(cluster, native, server.process),
    };
  } finally {
    release();
  }
}

/** PostgreSQL makes no database for a user ID without a name, as containers run with. @throws Error in words */
function requireEntry(): void {
  try {
    userInfo();
  } catch {
    throw new Error(
      `This process runs as the user ID ${process.getuid?.()}, which has no entry in /etc/passwd: PostgreSQL makes no database for it. Start Signalbox as a user that has one (in a container: that of the image), add an entry, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

/** @throws Error while a server runs on the cluster: it can't be asked without the password */
async function recoverPassword(cluster: Cluster, native: string): Promise<void> {
  const running = findPostmaster(cluster.directory);
  if (running)
    throw new Error(
      `${cluster.passwordFile} is missing, and PostgreSQL runs on its database (process ${running.pid}). End that process and start again: a new password is then made, and nothing is lost.`,
    );
  await renewPassword(cluster, native);
}

async function waitForLock(file: string): Promise<() => void> {
  const end = performance.now() + START_LIMIT_MS;
  for (;;) {
    const taken = takeLock(file, "starting PostgreSQL");
    if (taken.outcome === "locked") return taken.release;
    if (performance.now() > end)
      throw new Error(`Another process (${taken.holder.pid}) has been starting PostgreSQL for a minute. Stop it and try again.`);
    await sleep(RETRY_MS);
  }
}

async function startOrAttach(
  cluster: Cluster,
  native: string,
  settings: { port: number; durable: boolean },
): Promise<{ port: number; attached: boolean; process: ServerProcess | null }> {
  const end = performance.now() + START_LIMIT_MS;
  let complaint: unknown;
  while (performance.now() < end) {
    const running = findPostmaster(cluster.directory);
    if (!running) {
      const port = await findFreePort(settings.port);
      try {
        await runProgram(programPath(native, "pg_ctl"), startArguments(cluster.directory, port, settings.durable), cluster.account);
        return { port, attached: false, process: identify(findPostmaster(cluster.directory)) };
      } catch (error) {
        complaint = error; // the port was taken in between, or an old server has not let go yet: once more
      }
    } else if (running.port && (await answersFor(connectionUrl(cluster, running.port, "postgres"), cluster.directory))) {
      return { port: running.port, attached: true, process: identify(running) };
    }
    await sleep(RETRY_MS);
    if (complaint && !isTransient(cluster.directory)) break;
  }
  const failure = new Error(`PostgreSQL can't be started in ${cluster.directory}.\n${lastLogLines(cluster.directory)}`, {
    cause: complaint,
  });
  // The last lines may be about what followed.
  throw saysDiskFull(lastLogLines(cluster.directory, 100)) ? Object.assign(failure, { code: "ENOSPC" }) : failure;
}

function startArguments(directory: string, port: number, durable: boolean): string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: durable ? "80" : "200",
    shared_buffers: "128MB",
    // With 1 GB a lasting load writes a quarter more log: pages are written whole after each checkpoint (docs/maintenance.md).
    max_wal_size: durable ? "2GB" : "256MB",
    // By size, not every five minutes, for the same reason.
    checkpoint_timeout: "15min",
    // Of those pages; this build knows only pglz.
    wal_compression: durable ? "pglz" : "off",
    // Compiling takes longer than any of our queries.
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    fsync: durable ? "on" : "off",
    synchronous_commit: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return ["start", "-w", "-t", "60", "-D", directory, "-l", logFile(directory), "-o", `-p ${port} ${flags.join(" ")}`];
}

const logFile = (directory: string) => path.join(directory, "server.log");

const lastLogLines = (directory: string, lines = 8): string =>
  existsSync(logFile(directory)) ? readFileSync(logFile(directory), "utf8").trimEnd().split("\n").slice(-lines).join("\n") : "";

/** True for complaints that pass: a port race, shared memory that a killed server still drains. */
const isTransient = (directory: string): boolean =>
  /Address already in use|pre-existing shared memory block|lock file .* already exists/.test(lastLogLines(directory));

const connectionUrl = (cluster: Cluster, port: number, database: string): string =>
  `postgresql://${ROLE}:${clusterPassword(cluster)}@127.0.0.1:${port}/${database}`;

async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new DatabaseClient(connectionOptions(adminUrl, { name: "signalbox-start", statementMs: 30_000, connectMs: 5000 }));
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** A pid alone is reused. */
type ServerProcess = { pid: number; startedAt: string | null };

const identify = (server: Postmaster | null): ServerProcess | null => server && { pid: server.pid, startedAt: processStart(server.pid) };

async function stopServer(cluster: Cluster, native: string, begun: ServerProcess | null): Promise<void> {
  const isGone = () => isMissing(path.join(cluster.directory, "PG_VERSION"));
  if (isGone()) {
    await sleep(RETRY_MS);
    if (isGone()) return endWithoutData(begun);
  }
  if (!findPostmaster(cluster.directory)) return;
  await runProgram(programPath(native, "pg_ctl"), ["stop", "-D", cluster.directory, "-m", "fast", "-w", "-t", "8"], cluster.account);
}

/** Ends a server whose data folder was deleted: it can't be found by that any more, and would run for another minute. */
async function endWithoutData(begun: ServerProcess | null): Promise<void> {
  const runs = () => begun !== null && begun.startedAt !== null && processStart(begun.pid) === begun.startedAt;
  if (begun === null || !runs()) return;
  process.kill(begun.pid, "SIGQUIT"); // at once: there is nothing left to write
  for (const end = performance.now() + GONE_MS; runs() && performance.now() < end; ) await sleep(RETRY_MS);
  if (runs()) process.kill(begun.pid, "SIGKILL");
}
