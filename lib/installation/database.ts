import path from "node:path";
import { EnvError, env } from "#lib/config/env";
import { ownCommand } from "#lib/config/product";
import { requireRights } from "#lib/db/database-rights";
import { findServerVersion, OLDEST_POSTGRES, requireSameDatabase, requireSessions } from "#lib/db/database-server";
import { logger } from "#lib/observability/logger";
import { clusterExists, isMissing, locateCluster } from "./embedded/cluster.ts";
import { isServerRunning } from "./embedded/postmaster.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { completeEnvironment, dataDir, givenSecrets, postgresDirectory, ROOT } from "./process-environment.ts";
import { createSecrets } from "./secrets-file.ts";

const WATCH_MS = 2000;

/** Starts the built-in PostgreSQL, or checks DATABASE_URL and returns null. @throws Error in words */
export async function startDatabase(): Promise<EmbeddedPostgres | null> {
  const { DATABASE_URL } = env();
  if (!DATABASE_URL) {
    const directory = postgresDirectory();
    // Before the data: an interrupted start leaves secrets without data, never data without secrets.
    if (!clusterExists(locateCluster(directory))) createSecrets(dataDir(), givenSecrets());
    return startEmbeddedPostgres({ directory });
  }
  const version = await findServerVersion(DATABASE_URL);
  if (version < OLDEST_POSTGRES) throw new Error(`DATABASE_URL points to PostgreSQL ${version}; ${OLDEST_POSTGRES} or newer is required.`);
  await requireSessions(DATABASE_URL);
  await requireSameDatabase(DATABASE_URL, env().directUrl);
  await requireRights(DATABASE_URL);
  return null;
}

export function describeDatabase(database: EmbeddedPostgres | null): string {
  if (!database) return "using DATABASE_URL";
  const verb = { created: "created", started: "started", attached: "already running, attached" }[database.outcome];
  const short = path.relative(ROOT, database.directory);
  const place = `PostgreSQL ${verb} in ${short.startsWith("..") ? database.directory : short} on port ${database.port}`;
  if (database.opened.length === 0) return place;
  return `${place}. It does not run as root: other accounts may now pass ${database.opened.join(", ")} (recorded in ${database.directory}.opened)`;
}

/** Restarts the server on its port whenever it is gone (out of memory, say). If its data were deleted, calls `onDataGone` once instead. */
export function watchDatabase(database: EmbeddedPostgres, onDataGone: () => void): () => void {
  let busy = false;
  let wereGone = false;
  const look = async () => {
    if (busy) return;
    const areGone = areDataGone(database.directory);
    const isSure = areGone && wereGone;
    wereGone = areGone;
    if (areGone && !isSure) return; // once more: a network's file system may lose sight of a folder for a moment
    if (isSure) {
      clearInterval(timer);
      logger().fatal({ directory: database.directory }, "the data of the built-in PostgreSQL were deleted; stopping");
      return onDataGone();
    }
    if (isServerRunning(database.directory)) return;
    busy = true;
    try {
      logger().warn("the built-in PostgreSQL has stopped; restarting it");
      const { stop } = await startEmbeddedPostgres({ directory: postgresDirectory(), port: database.port });
      database.stop = stop; // of the process that runs now
    } catch (error) {
      logger().error({ reason: (error as Error).message }, "the built-in PostgreSQL can't be started");
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void look(), WATCH_MS);
  return () => clearInterval(timer);
}

/** True if the data folder is gone, or DATA_DIR where the data are elsewhere. */
const areDataGone = (directory: string) => isMissing(path.join(directory, "PG_VERSION")) || isMissing(dataDir());

/** Completes the environment from the installation that runs on DATA_DIR. @throws EnvError if none does */
export async function attachToRunning(): Promise<void> {
  const directory = postgresDirectory();
  if (!isServerRunning(locateCluster(directory).directory))
    throw new EnvError(
      `No database found: start Signalbox first (${ownCommand("start")}), or set DATABASE_URL, NEXTAUTH_SECRET and VAULT_KEYS.`,
    );
  const { url } = await startEmbeddedPostgres({ directory });
  completeEnvironment("production", url);
}
