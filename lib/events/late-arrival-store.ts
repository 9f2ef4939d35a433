import type { WorkspaceId } from "#lib/contracts/api/ids";
import { eventSecondsSql } from "#lib/db/log/event-time-sql";
import { queryWithin } from "#lib/db/query-within";

const LIMIT_MS = 1500;
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
