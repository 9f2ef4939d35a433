import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { queryWithin } from "#lib/db/query-within";
import type { ParsedFilter } from "#lib/events/search/query";
import { SqlParams } from "#lib/events/search/sql-params";
import { askedOf, HOUR_MS, hoursSql, wholeHours } from "./hours-sql.ts";

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
