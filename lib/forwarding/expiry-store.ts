import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { HELD_DAYS } from "#lib/contracts/forwarding/deliveries";
import { pool } from "#lib/db/pool";
import { CUTOFF } from "#lib/db/sql";

type Places = { receivedAt: string; seq: number }[];

/** Locks deliveries of events that leave the log, so that none is started over meanwhile. Returns the events with pending ones. */
export async function lockDeliveries(client: pg.PoolClient, events: Places): Promise<Set<number>> {
  const { rows } = await client.query<{ seq: number; state: string }>(
    `SELECT f.seq, f.state FROM forward_deliveries f JOIN unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq) ON f.received_at = u.at AND f.seq = u.seq
     ORDER BY f.id FOR UPDATE OF f`,
    columnsOf(events),
  );
  return new Set(rows.filter(({ state }) => state === "pending").map(({ seq }) => seq));
}

export async function deleteDeliveries(client: pg.PoolClient, events: Places): Promise<void> {
  await client.query(
    `WITH gone AS (
       DELETE FROM forward_deliveries f USING unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq)
       WHERE f.received_at = u.at AND f.seq = u.seq RETURNING f.id)
     DELETE FROM forward_attempts a USING gone WHERE a.delivery_id = gone.id`,
    columnsOf(events),
  );
}

const columnsOf = (events: Places) => [events.map(({ receivedAt }) => receivedAt), events.map(({ seq }) => seq)];

export type GivenUp = { workspaceId: WorkspaceId; destinationId: string; name: string; count: number; from: Date; to: Date };

/** Gives up deliveries, oldest first and `limit` a destination, that could not be sent for HELD_DAYS after their event's retention. */
export async function giveUpHeld(client: pg.PoolClient, limit: number): Promise<GivenUp[]> {
  const { rows } = await client.query<GivenUp>(
    `WITH late AS (
       SELECT held.id FROM destinations d JOIN workspaces w ON w.id = d.workspace_id CROSS JOIN LATERAL (
         SELECT f.id FROM forward_deliveries f
         WHERE f.destination_id = d.id AND f.state = 'pending' AND f.received_at < ${CUTOFF(`(w.retention_days + ${HELD_DAYS})`)}
         ORDER BY f.received_at, f.seq LIMIT $1) held),
     given AS (
       UPDATE forward_deliveries SET state = 'cancelled', finished_at = now(), last_code = 'event_deleted',
         last_text = 'It could not be sent for ${HELD_DAYS} days after the retention of its event, which was deleted'
       WHERE id IN (SELECT id FROM late) AND state = 'pending' RETURNING destination_id, received_at)
     SELECT d.workspace_id AS "workspaceId", d.id AS "destinationId", d.name, count(*) AS count, min(g.received_at) AS from, max(g.received_at) AS to
     FROM given g JOIN destinations d ON d.id = g.destination_id GROUP BY d.id ORDER BY d.id`,
    [limit],
  );
  return rows;
}

/** Figures by minute are shown for a day. */
const MINUTES_KEPT = "2 days";

export async function deleteOldMinutes(): Promise<number> {
  const { rowCount } = await pool("worker").query(`DELETE FROM destination_minutes WHERE minute < now() - interval '${MINUTES_KEPT}'`);
  return rowCount ?? 0;
}

/** Cancels deliveries that a batch wrote for a destination while it was being deleted. */
export async function cancelOrphans(): Promise<number> {
  const { rowCount } = await pool("worker").query(
    `UPDATE forward_deliveries f SET state = 'cancelled', finished_at = now(), last_code = 'cancelled', last_text = 'The destination was deleted'
     FROM destinations d WHERE d.id = f.destination_id AND d.deleted_at IS NOT NULL AND f.state = 'pending'`,
  );
  return rowCount ?? 0;
}
