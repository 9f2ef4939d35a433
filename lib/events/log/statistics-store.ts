import type { WorkspaceId } from "#lib/contracts/api/ids";
import { countCapped } from "#lib/db/capped-count";
import { pool } from "#lib/db/pool";
import { countByHours } from "#lib/events/hours/hour-store";
import { HOUR_MS } from "#lib/events/hours/hours-sql";
import { parseFilter } from "#lib/events/search/query";

const MAX_DAY_EVENTS = 100_001;

const LIMIT_MS = 700;

/** Counts events since a moment, up to 100,001: a long log must not make the overview slow. */
export async function countEventsSince(workspaceId: WorkspaceId, since: Date): Promise<number> {
  const period = { from: since.getTime(), to: null };
  const bars = await countByHours(workspaceId, parseFilter({}), period, { step: HOUR_MS / 1000, limitMs: LIMIT_MS });
  if (bars instanceof Map)
    return Math.min(
      MAX_DAY_EVENTS,
      [...bars.values()].reduce((sum, n) => sum + n, 0),
    );
  return countCapped(pool(), "SELECT 1 FROM events WHERE workspace_id = $1 AND received_at >= $2", [workspaceId, since], MAX_DAY_EVENTS);
}

export async function hasEvents(workspaceId: WorkspaceId): Promise<boolean> {
  const { rowCount } = await pool().query("SELECT 1 FROM events WHERE workspace_id = $1 LIMIT 1", [workspaceId]);
  return rowCount === 1;
}

/** Counts received and failed events of the last minutes, oldest first, empty minutes included. */
export async function countPerMinute(
  workspaceId: WorkspaceId,
  minutes: number,
): Promise<{ minute: string; received: number; failed: number }[]> {
  const { rows } = await pool().query<{ minute: Date; received: number; failed: number }>(
    `WITH span AS (SELECT generate_series(date_trunc('minute', now()) - make_interval(mins => $2 - 1), date_trunc('minute', now()), '1 minute') AS minute),
     counted AS (
       SELECT date_trunc('minute', e.received_at) AS minute, count(*) AS received, count(d.seq) AS failed
       FROM events e LEFT JOIN dead_letters d ON d.received_at = e.received_at AND d.seq = e.seq
       WHERE e.workspace_id = $1 AND e.received_at >= date_trunc('minute', now()) - make_interval(mins => $2 - 1) GROUP BY 1)
     SELECT span.minute, coalesce(counted.received, 0) AS received, coalesce(counted.failed, 0) AS failed
     FROM span LEFT JOIN counted USING (minute) ORDER BY span.minute`,
    [workspaceId, minutes],
  );
  return rows.map((row) => ({ minute: row.minute.toISOString(), received: row.received, failed: row.failed }));
}
