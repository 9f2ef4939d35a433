import { setTimeout as sleep } from "node:timers/promises";
import { connectionOptions, DatabaseClient } from "#lib/db/connection/client";
import { supervisorLock } from "#lib/installation/data-files";
import type { EmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { takeLock } from "#lib/installation/lock/process-lock";

const LIMITS = { name: "signalbox-stop", statementMs: 5000, connectMs: 5000 };
/** The server takes a moment to notice that a connection of ours was cut. */
const LOOKS = 20;
const LOOK_MS = 100;

/** Stops a server that this process started, unless Signalbox or anybody else has begun to use it meanwhile. */
export async function stopUnused(database: Pick<EmbeddedPostgres, "url" | "stop">): Promise<void> {
  const taken = takeLock(supervisorLock(), "stopping the database");
  if (taken.outcome === "held") return; // Signalbox was started, and stops it
  try {
    // Whoever can't look leaves it running.
    if (!(await isUsed(database.url).catch(() => true))) await database.stop();
  } finally {
    taken.release();
  }
}

async function isUsed(url: string): Promise<boolean> {
  const client = new DatabaseClient(connectionOptions(url, LIMITS));
  await client.connect();
  try {
    for (let look = 0; look < LOOKS; look += 1) {
      if (look > 0) await sleep(LOOK_MS);
      const { rowCount } = await client.query(
        "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1",
      );
      if (!rowCount) return false;
    }
    return true;
  } finally {
    await client.end();
  }
}
