import { EnvError } from "#lib/config/env";
import { ownCommand } from "#lib/config/own-command";
import { postgresDirectory } from "./data-files.ts";
import { locateCluster } from "./embedded/place.ts";
import { isServerRunning } from "./embedded/postmaster.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { completeEnvironment } from "./process-environment.ts";

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
