import { inTransactionByKey, pool } from "#lib/db/pool";
import { LOG_HORIZON } from "#lib/events/log/horizon-store";

/** Number of uncounted events that are counted at once; fewer wait a minute, so that the counters of their hours are written once. */
const ENOUGH = 2000;
const MAX_WAIT = "interval '1 minute'";

const behind = (name: string, passed: number) => `LEFT JOIN LATERAL (
    SELECT true AS ${name} FROM events e WHERE e.workspace_id = p.workspace_id AND (e.xid, e.seq) > (p.xid, p.seq) AND e.xid < ${LOG_HORIZON}
    ORDER BY e.xid, e.seq OFFSET ${passed} LIMIT 1) ${name} ON true`;

export async function listUncounted(): Promise<string[]> {
  const { rows } = await pool("worker").query<{ id: string }>(
    `SELECT p.workspace_id AS id FROM event_hour_places p ${behind("waits", 0)} ${behind("many", ENOUGH - 1)}
     WHERE NOT p.caught_up OR many OR (p.counted_at < now() - ${MAX_WAIT}
       AND (waits OR EXISTS (SELECT 1 FROM event_hour_failures f WHERE f.workspace_id = p.workspace_id)))`,
  );
  return rows.map(({ id }) => id);
}

/** Makes the places of workspaces that came with a backup of an earlier release. */
export async function addPlaces(): Promise<void> {
  await pool("worker").query(
    `INSERT INTO event_hour_places (workspace_id) SELECT w.id FROM workspaces w
     WHERE NOT EXISTS (SELECT 1 FROM event_hour_places p WHERE p.workspace_id = w.id) ON CONFLICT DO NOTHING`,
  );
}

/** `counted` now and `total` events; `first` until the log was counted to its end for the first time. */
export type Counting = { counted: number; total: number; more: boolean; first: boolean };

/** Counts a workspace's next events and moves its place in one transaction, so each counts once. Null while another process counts. */
export function countNext(workspaceId: string, limit: number): Promise<Counting | null> {
  return inTransactionByKey(pool("worker"), async (client) => {
    // A statement of its own: what is counted is seen only once the place is held (the trigger uncount_events waits for it).
    const place = await client.query<{ first: boolean }>(
      `SELECT NOT caught_up AS first FROM event_hour_places WHERE workspace_id = $1 FOR UPDATE SKIP LOCKED`,
      [workspaceId],
    );
    const [locked] = place.rows;
    if (!locked) return null;
    const { rows } = await client.query<{ counted: number; total: number }>(
      `WITH next AS MATERIALIZED (
         SELECT e.xid, e.seq, e.source_id, e.type, e.recognised, date_trunc('hour', e.received_at, 'UTC') AS hour
         FROM event_hour_places p CROSS JOIN LATERAL (
           SELECT e.xid, e.seq, e.source_id, e.type, e.recognised, e.received_at FROM events e
           WHERE e.workspace_id = p.workspace_id AND (e.xid, e.seq) > (p.xid, p.seq) AND e.xid < ${LOG_HORIZON}
           ORDER BY e.xid, e.seq LIMIT $2) e
         WHERE p.workspace_id = $1),
       added AS (
         INSERT INTO event_hours AS h (workspace_id, source_id, type, hour, events, unrecognised)
         SELECT $1, coalesce(source_id, ''), coalesce(type, ''), hour, count(*), count(*) FILTER (WHERE NOT recognised)
         FROM next GROUP BY hour, CUBE (source_id, type)
         ON CONFLICT (workspace_id, source_id, type, hour) DO UPDATE
           SET events = h.events + excluded.events, unrecognised = h.unrecognised + excluded.unrecognised)
       UPDATE event_hour_places p SET xid = coalesce(l.xid, p.xid), seq = coalesce(l.seq, p.seq), counted = p.counted + n.n,
         caught_up = p.caught_up OR n.n < $2, counted_at = now()
       FROM (SELECT count(*) AS n FROM next) n LEFT JOIN (SELECT xid, seq FROM next ORDER BY next.xid DESC, seq DESC LIMIT 1) l ON true
       WHERE p.workspace_id = $1 RETURNING n.n AS counted, p.counted AS total`,
      [workspaceId, limit],
    );
    await client.query(
      `WITH gone AS (DELETE FROM event_hour_failures WHERE workspace_id = $1 RETURNING source_id, type, hour, recognised, change)
       INSERT INTO event_hours AS h (workspace_id, source_id, type, hour, failed, failed_unrecognised)
       SELECT $1, coalesce(source_id, ''), coalesce(type, ''), hour, sum(change), coalesce(sum(change) FILTER (WHERE NOT recognised), 0)
       FROM gone GROUP BY hour, CUBE (source_id, type)
       ON CONFLICT (workspace_id, source_id, type, hour) DO UPDATE
         SET failed = h.failed + excluded.failed, failed_unrecognised = h.failed_unrecognised + excluded.failed_unrecognised`,
      [workspaceId],
    );
    const { counted = 0, total = 0 } = rows[0] ?? {};
    return { counted, total, more: counted === limit, first: locked.first };
  });
}
