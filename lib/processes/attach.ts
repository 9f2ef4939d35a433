import { EnvError } from "#lib/config/env";
import { completeEnvironment } from "#lib/config/process-environment";
import { locateCluster } from "#lib/db/embedded/cluster";
import { isServerRunning } from "#lib/db/embedded/postmaster";
import { startEmbeddedPostgres } from "#lib/db/embedded-postgres";
import { postgresDirectory } from "./data-files.ts";

/**
 * Completes the environment of a process that was started by itself from the
 * installation that runs on the same DATA_DIR.
 *
 * @throws EnvError when none runs there
 */
export async function attachToRunning(): Promise<void> {
  const directory = postgresDirectory();
  if (!isServerRunning(locateCluster(directory).directory))
    throw new EnvError("There is no database: start Signalbox first (npm start), or set DATABASE_URL, NEXTAUTH_SECRET and VAULT_KEYS.");
  const { url } = await startEmbeddedPostgres({ directory });
  completeEnvironment("production", url);
}
