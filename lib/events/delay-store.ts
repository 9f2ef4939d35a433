import type { WorkspaceId } from "#lib/contracts/api/ids";
import { eventSecondsSql } from "#lib/db/log/event-time-sql";
import { queryWithin } from "#lib/db/query-within";

/** Time that a source's events took to arrive, in milliseconds; `at` (Unix seconds) is null for the whole range. */
export type Delay = { at: number | null; events: number; p50: number; p95: number };

/** Number of the newest events that are measured. */
export const MAX_DELAYED = 20_000;
const LIMIT_MS = 1500;

/** Measures from `created` to the receipt, by step (in seconds, from `since` in Unix seconds) and in all; null when it took too long. */
export function measureDelays(workspaceId: WorkspaceId, sourceId: string, steps: { since: number; step: number }): Promise<Delay[] | null> {
  return queryWithin<Delay>(
    LIMIT_MS,
    `WITH newest AS (
       SELECT e.received_at, greatest(0, extract(epoch FROM e.received_at) - ${eventSecondsSql("e")}) * 1000 AS ms FROM events e
        WHERE e.workspace_id = $1 AND e.source_id = $2 AND e.received_at >= to_timestamp($3)
        ORDER BY e.received_at DESC, e.seq DESC LIMIT ${MAX_DELAYED}),
     stepped AS (SELECT floor(extract(epoch FROM received_at) / $4::bigint)::bigint * $4::bigint AS at, ms FROM newest)
     SELECT at, count(*)::int AS events, round(percentile_disc(0.5) WITHIN GROUP (ORDER BY ms))::float8 AS p50,
            round(percentile_disc(0.95) WITHIN GROUP (ORDER BY ms))::float8 AS p95
       FROM stepped GROUP BY GROUPING SETS ((), (at)) HAVING count(*) > 0`,
    [workspaceId, sourceId, steps.since, steps.step],
  );
}
