import { setTimeout as sleep } from "node:timers/promises";
import { connectionOptions, DatabaseClient } from "../connection/client.ts";

const LIMITS = { name: "signalbox-stop", statementMs: 5000, connectMs: 5000 };
/** The server takes a moment to notice that a connection of ours was cut. */
const LOOKS = 20;
const LOOK_MS = 100;

/** True if somebody else stays connected for two seconds. */
export async function hasOtherClients(databaseUrl: string): Promise<boolean> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, LIMITS));
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
