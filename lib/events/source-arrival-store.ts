import type { WorkspaceId } from "#lib/contracts/api/ids";
import { isBackDatedSql, LATE_AFTER_S } from "#lib/contracts/events/back-dated";
import { queryWithin } from "#lib/db/bounded-query";
import { pool } from "#lib/db/pool";
import { queryValue } from "#lib/db/rows";
import { eventSecondsSql } from "#lib/db/sql";

/** A source's row may lag: the trigger `note_source_arrivals` moves it when an event comes more than ten seconds later. */
const WITHIN = "interval '30 seconds'";

/** Returns when each source last received an event, by the source's ID. A source without events has none. */
export async function listLastArrivals(workspaceId: WorkspaceId): Promise<Map<string, Date>> {
  const { rows } = await pool().query<{ id: string; at: Date }>(
    `SELECT a.source_id AS id, coalesce(
       (SELECT e.received_at FROM events e
         WHERE e.workspace_id = $1 AND e.source_id = a.source_id AND e.received_at >= a.received_at AND e.received_at <= a.received_at + ${WITHIN}
         ORDER BY e.received_at DESC, e.seq DESC LIMIT 1), a.received_at) AS at
       FROM source_arrivals a WHERE a.workspace_id = $1`,
    [workspaceId],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Returns the milliseconds since any source received an event, to within half a minute; null if none ever did. */
export const findArrivalAge = (): Promise<number | null> =>
  queryValue<{ ageMs: number | null }>(
    pool("worker"),
    `SELECT extract(epoch FROM clock_timestamp() - max(received_at))::float8 * 1000 AS "ageMs" FROM source_arrivals`,
  );

/** SQL of the moment after which a source has received nothing (NULL without events): its log is read from there. Takes placeholders. */
export const lastArrivalSql = (workspace: string, name: string): string =>
  `(SELECT a.received_at + ${WITHIN} FROM source_arrivals a JOIN sources x ON x.id = a.source_id WHERE x.workspace_id = ${workspace} AND x.name = ${name})`;

/** Time that a source's events took to arrive, in milliseconds; `at` (Unix seconds) is null for the whole range. */
type Delay = { at: number | null; events: number; leftOut: number; p50: number | null; p95: number | null };

/** Number of the newest events that are read. */
export const MAX_DELAYED = 20_000;
const LIMIT_MS = 1500;

/** Measures from `created` to the receipt, without late events and the sandbox's made-up history, by step (in seconds, from `since` in Unix seconds) and in all; null when it took too long. */
export function measureDelays(workspaceId: WorkspaceId, sourceId: string, steps: { since: number; step: number }): Promise<Delay[] | null> {
  return queryWithin<Delay>(
    LIMIT_MS,
    `WITH newest AS (
       SELECT e.received_at, greatest(0, extract(epoch FROM e.received_at) - ${eventSecondsSql("e")}) * 1000 AS ms,
              ${isBackDatedSql("e.headers")} AS made_up
         FROM events e WHERE e.workspace_id = $1 AND e.source_id = $2 AND e.received_at >= to_timestamp($3)
        ORDER BY e.received_at DESC, e.seq DESC LIMIT ${MAX_DELAYED}),
     stepped AS (SELECT floor(extract(epoch FROM received_at) / $4::bigint)::bigint * $4::bigint AS at,
              CASE WHEN NOT made_up AND ms <= ${LATE_AFTER_S * 1000} THEN ms END AS ms FROM newest)
     SELECT at, count(ms)::int AS events, (count(*) - count(ms))::int AS "leftOut",
            round(percentile_disc(0.5) WITHIN GROUP (ORDER BY ms))::float8 AS p50,
            round(percentile_disc(0.95) WITHIN GROUP (ORDER BY ms))::float8 AS p95
       FROM stepped GROUP BY GROUPING SETS ((), (at)) HAVING count(*) > 0`,
    [workspaceId, sourceId, steps.since, steps.step],
  );
}

const CAP = 1001;

/** Events of a source from `from` to `to` that came after `to` and before `until`. Milliseconds since 1970. */
export type LateArrivals = { sourceId: string; from: number; to: number; until: number };

/** Counts them by their sender's time: a number for each, at most 1,001; null when it took too long. */
export async function countLateArrivals(workspaceId: WorkspaceId, asked: readonly LateArrivals[]): Promise<number[] | null> {
  if (asked.length === 0) return [];
  const seconds = eventSecondsSql("e");
  const rows = await queryWithin<{ count: number }>(
    LIMIT_MS,
    `SELECT found.count FROM unnest($2::text[], $3::float8[], $4::float8[], $5::float8[]) WITH ORDINALITY AS w (source_id, first, last, until, n),
       LATERAL (SELECT count(*)::int AS count FROM (
         SELECT 1 FROM events e
          WHERE e.workspace_id = $1 AND e.source_id = w.source_id AND e.received_at >= to_timestamp(w.last)
            AND e.received_at < to_timestamp(w.until) AND ${seconds} >= w.first AND ${seconds} < w.last LIMIT ${CAP}) late) found
      ORDER BY w.n`,
    [
      workspaceId,
      asked.map(({ sourceId }) => sourceId),
      asked.map(({ from }) => from / 1000),
      asked.map(({ to }) => to / 1000),
      asked.map(({ until }) => until / 1000),
    ],
  );
  return rows?.map(({ count }) => count) ?? null;
}
