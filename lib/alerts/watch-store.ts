import type pg from "pg";
import { pool } from "#lib/db/pool";

/** Takes the turn to evaluate conditions, until the transaction ends. @returns false while another process has it */
export async function claimWatch(client: pg.PoolClient): Promise<boolean> {
  await client.query("INSERT INTO alert_watch (id) VALUES (1) ON CONFLICT DO NOTHING");
  const { rowCount } = await client.query("SELECT 1 FROM alert_watch WHERE id = 1 FOR UPDATE SKIP LOCKED");
  return rowCount === 1;
}

/** Takes the turn to send the heartbeat: once a minute per installation. */
export async function claimHeartbeat(): Promise<boolean> {
  await pool("worker").query("INSERT INTO alert_watch (id) VALUES (1) ON CONFLICT DO NOTHING");
  const { rowCount } = await pool("worker").query(
    `UPDATE alert_watch SET heartbeat_at = now() WHERE id = 1 AND (heartbeat_at IS NULL OR heartbeat_at <= now() - interval '59 seconds')`,
  );
  return rowCount === 1;
}
