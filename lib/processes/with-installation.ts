import { EnvError, env } from "#lib/config/env";
import { hasOtherClients } from "#lib/db/database-server";
import { assertFits, examineSchema, listKnownMigrations, listMissingMigrations } from "#lib/db/migrate";
import { closePools } from "#lib/db/pool";
import { requireDataFolder } from "#lib/installation/data-folder";
import { startDatabase } from "#lib/installation/database";
import { clusterExists, locateCluster } from "#lib/installation/embedded/cluster";
import { isServerRunning } from "#lib/installation/embedded/postmaster";
import type { EmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { completeEnvironment, dataDir, postgresDirectory, supervisorLock } from "#lib/installation/process-environment";
import { takeLock } from "#lib/installation/process-lock";
import { complain } from "./progress.ts";

/** Runs a command on the installation's database, started if needed, and then stopped unless it is used. @throws EnvError without one */
export async function withInstallation<T>(
  work: () => Promise<T>,
  complete: (databaseUrl: string | undefined) => void = (url) => void completeEnvironment("production", url),
): Promise<T> {
  requireDataFolder();
  const external = Boolean(env().DATABASE_URL);
  const cluster = external ? null : locateCluster(postgresDirectory());
  if (!external && !(cluster && clusterExists(cluster))) throw noInstallation(external);
  const wasRunning = cluster === null || isServerRunning(cluster.directory);
  const database = await startDatabase();
  try {
    complete(database?.url);
    const warning = assertFits(await examineSchema(env().DATABASE_URL ?? ""));
    if (warning !== null) complain(warning);
    const missing = await listMissingMigrations(env().DATABASE_URL ?? "");
    if (missing.length === listKnownMigrations().length) throw noInstallation(external);
    return await work();
  } finally {
    await closePools();
    if (database && !wasRunning) await stopUnused(database);
  }
}

const noInstallation = (external: boolean) => {
  const where = external ? "at DATABASE_URL" : `in ${dataDir()}`;
  return new EnvError(
    `There is no installation ${where}. Nothing was created. Set DATA_DIR or DATABASE_URL as the running Signalbox has it.`,
  );
};

/** Stops a server that this process started, unless somebody uses it. */
export async function stopUnused(database: Pick<EmbeddedPostgres, "url" | "stop">): Promise<void> {
  const taken = takeLock(supervisorLock(), "stopping the database");
  if (taken.outcome === "held") return; // Signalbox was started meanwhile, and stops it
  try {
    // If it can't be checked, the server is left running.
    if (!(await hasOtherClients(database.url).catch(() => true))) await database.stop();
  } finally {
    taken.release();
  }
}
