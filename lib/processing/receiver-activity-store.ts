import { pool } from "#lib/db/pool";

/** The name that the connections of all receivers give themselves (lib/db/pool.ts). */
const RECEIVER = "signalbox-receiver";

/** Whether some receiver, of any process, is storing webhooks at this moment. */
export async function isReceiverStoring(): Promise<boolean> {
  const { rowCount } = await pool("worker").query({
    name: "receiver-active",
    text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 AND state = 'active' LIMIT 1`,
    values: [RECEIVER],
  });
  return rowCount === 1;
}
