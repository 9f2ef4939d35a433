import { hasOtherClients } from "#lib/db/server/other-clients";
import { supervisorLock } from "#lib/installation/data-files";
import type { EmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { takeLock } from "#lib/installation/lock/process-lock";

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
