import { env } from "#lib/config/env";
import { examineSchema } from "#lib/db/migrate";
import { closePools } from "#lib/db/pool";
import { assertFits } from "#lib/db/server/schema-fit";
import { postgresDirectory } from "#lib/installation/data-files";
import { startDatabase } from "#lib/installation/database";
import { locateCluster } from "#lib/installation/embedded/cluster";
import { isServerRunning } from "#lib/installation/embedded/postmaster";
import { completeEnvironment } from "#lib/installation/process-environment";
import { complain } from "../progress.ts";
import { stopUnused } from "./stop-unused.ts";

/**
 * Runs a command on the installation's database. The built-in one is started when it is not running, and stopped again
 * unless somebody uses it by then.
 *
 * @param complete puts what the command needs into the environment
 * @throws EnvError when a newer version has prepared the database, and this one may not run on it
 */
export async function withInstallation<T>(
  work: () => Promise<T>,
  complete: (databaseUrl: string | undefined) => void = (url) => void completeEnvironment("production", url),
): Promise<T> {
  const wasRunning = Boolean(env().DATABASE_URL) || isServerRunning(locateCluster(postgresDirectory()).directory);
  const database = await startDatabase();
  try {
    complete(database?.url);
    const warning = assertFits(await examineSchema(env().DATABASE_URL ?? ""));
    if (warning !== null) complain(warning);
    return await work();
  } finally {
    await closePools();
    if (database && !wasRunning) await stopUnused(database);
  }
}
