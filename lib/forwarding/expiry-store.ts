import type pg from "pg";
import { pool } from "#lib/db/pool";

/** Where events stand that leave the log. */
type Places = { receivedAt: string; seq: number }[];

/** Deletes the deliveries of events that leave the log, with their attempts; what is still held can't be sent without its bytes. */
export async function deleteDeliveries(client: pg.PoolClient, events: Places): Promise<void> {
  await client.query(
    `WITH gone AS (
       DELETE FROM forward_deliveries f USING unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq)
       WHERE f.received_at = u.at AND f.seq = u.seq RETURNING f.id)
     DELETE FROM forward_attempts a USING gone WHERE a.delivery_id = gone.id`,
    [events.map(({ receivedAt }) => receivedAt), events.map(({ seq }) => seq)],
  );
}

/** Figures by minute are looked at for a day. */
const MINUTES_KEPT = "2 days";

/** Deletes figures that nobody looks at any more. @returns how many rows */
export async function deleteOldMinutes(): Promise<number> {
  const { rowCount } = await pool("worker").query(`DELETE FROM destination_minutes WHERE minute < now() - interval '${MINUTES_KEPT}'`);
  return rowCount ?? 0;
}

/** Cancels what a batch that was just being applied wrote for a destination in the moment in which it was deleted. @returns how many */
export async function cancelOrphans(): Promise<number> {
  const { rowCount } = await pool("worker").query(
    `UPDATE forward_deliveries f SET state = 'cancelled', finished_at = now(), last_code = 'cancelled', last_text = 'The destination was deleted'
     FROM destinations d WHERE d.id = f.destination_id AND d.deleted_at IS NOT NULL AND f.state = 'pending'`,
  );
  return rowCount ?? 0;
}
