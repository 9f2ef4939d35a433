import { EnvError, env } from "#lib/config/env";
import { examineSchema, listKnownMigrations, listMissingMigrations } from "#lib/db/migrate";
import { closePools } from "#lib/db/pool";
import { assertFits } from "#lib/db/server/schema-fit";
import { postgresDirectory } from "#lib/installation/data-files";
import { startDatabase } from "#lib/installation/database";
import { clusterExists } from "#lib/installation/embedded/cluster";
import { locateCluster } from "#lib/installation/embedded/place";
import { isServerRunning } from "#lib/installation/embedded/postmaster";
import { completeEnvironment, dataDir } from "#lib/installation/process-environment";
import { complain } from "../progress.ts";
import { stopUnused } from "./stop-unused.ts";

/** Runs a command on the installation's database, started if needed, and then stopped unless it is used. @throws EnvError without one */
export async function withInstallation<T>(
  work: () => Promise<T>,
  complete: (databaseUrl: string | undefined) => void = (url) => void completeEnvironment("production", url),
): Promise<T> {
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
