import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { queryWithin } from "#lib/db/bounded-query";
import { inTransaction, inTransactionByKey, pool } from "#lib/db/pool";
import { queryValues } from "#lib/db/rows";
import { askedOf, HOUR_MS, hoursSql, wholeHours } from "./hour-counter-sql.ts";
import { LOG_HORIZON } from "./log/event-lookup-store.ts";
import { SqlParams } from "./search/candidate-queries.ts";
import type { ParsedFilter } from "./search/query.ts";

/** A period in milliseconds: `to` is exclusive, null for open. */
export type Period = { from: number; to: number | null };

/** Counts matches by the beginning of their step (Unix seconds), as far as the counters know the filter, step (seconds) and period. */
export async function countByHours(
  workspaceId: WorkspaceId,
  parsed: ParsedFilter,
  period: Period,
  { step, limitMs }: { step: number; limitMs: number },
): Promise<Map<number, number> | "unknown_to_counters" | "too_slow"> {
  const asked = askedOf(parsed);
  const whole = wholeHours(period.from, period.to);
  if (asked === null || whole === null || step % (HOUR_MS / 1000) !== 0 || !(await isCounted(workspaceId))) return "unknown_to_counters";
  const bound = new SqlParams(workspaceId, { from: undefined, to: undefined }, undefined);
  const counted = hoursSql(parsed, asked, bound, period, whole);
  const rows = await queryWithin<{ at: number; n: number }>(
    limitMs,
    `SELECT floor(extract(epoch FROM hour) / ${step})::bigint * ${step} AS at, sum(n)::float8 AS n FROM (${counted}) m GROUP BY 1 HAVING sum(n) <> 0`,
    bound.values,
  );
  return rows === null ? "too_slow" : new Map(rows.map(({ at, n }) => [at, n]));
}

async function isCounted(workspaceId: WorkspaceId): Promise<boolean> {
  const { rows } = await pool().query<{ caught_up: boolean }>("SELECT caught_up FROM event_hour_places WHERE workspace_id = $1", [
    workspaceId,
  ]);
  return rows[0]?.caught_up === true;
}

// Rows of hours and of failures are deleted together: the places are locked, as they are while failures are added to hours.
const HOLD_PLACES = "SELECT FROM event_hour_places ORDER BY workspace_id FOR UPDATE";
const TABLES = ["event_hours", "event_hour_failures"] as const;

/** Deletes all workspaces' counters of a month, in the transaction that drops its partition: no trigger sees that. */
export async function deleteHours(client: pg.PoolClient, { from, to }: { from: string; to: string }): Promise<void> {
  await client.query(HOLD_PLACES);
  for (const table of TABLES)
    await client.query(`DELETE FROM ${table} WHERE hour >= $1::timestamptz AND hour < $2::timestamptz`, [from, to]);
}

/** Deletes counters before a log's first event, which a worker of the previous release leaves when it drops a partition. */
export async function deleteEmptyHours(): Promise<void> {
  await inTransaction(pool("worker"), async (client) => {
    await client.query(HOLD_PLACES);
    for (const table of TABLES)
      await client.query(
        `DELETE FROM ${table} h USING (
           SELECT p.workspace_id, coalesce((SELECT min(e.received_at) FROM events e WHERE e.workspace_id = p.workspace_id), now()) AS oldest
           FROM event_hour_places p) p
         WHERE h.workspace_id = p.workspace_id AND h.hour < date_trunc('hour', p.oldest, 'UTC') AND h.hour < now() - interval '1 hour'`,
      );
  });
}

/** Number of uncounted events that are counted at once; fewer wait a minute, so that the counters of their hours are written once. */
const ENOUGH = 2000;
const MAX_WAIT = "interval '1 minute'";

const behind = (name: string, passed: number) => `LEFT JOIN LATERAL (
    SELECT true AS ${name} FROM events e WHERE e.workspace_id = p.workspace_id AND (e.xid, e.seq) > (p.xid, p.seq) AND e.xid < ${LOG_HORIZON}
    ORDER BY e.xid, e.seq OFFSET ${passed} LIMIT 1) ${name} ON true`;

export const listUncounted = (): Promise<string[]> =>
  queryValues<{ id: string }>(
    pool("worker"),
    `SELECT p.workspace_id AS id FROM event_hour_places p ${behind("waits", 0)} ${behind("many", ENOUGH - 1)}
     WHERE NOT p.caught_up OR many OR (p.counted_at < now() - ${MAX_WAIT}
       AND (waits OR EXISTS (SELECT 1 FROM event_hour_failures f WHERE f.workspace_id = p.workspace_id)))`,
  );

/** Makes the places of workspaces that came with a backup of an earlier release. */
export async function addPlaces(): Promise<void> {
  await pool("worker").query(
    `INSERT INTO event_hour_places (workspace_id) SELECT w.id FROM workspaces w
     WHERE NOT EXISTS (SELECT 1 FROM event_hour_places p WHERE p.workspace_id = w.id) ON CONFLICT DO NOTHING`,
  );
}

/** `counted` now and `total` events; `first` until the log was counted to its end for the first time. */
type Counting = { counted: number; total: number; more: boolean; first: boolean };

/** Counts a workspace's next events and moves its place in one transaction, so each counts once. Null while another process counts. */
export function countNext(workspaceId: string, limit: number): Promise<Counting | null> {
  return inTransactionByKey(async (client) => {
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
