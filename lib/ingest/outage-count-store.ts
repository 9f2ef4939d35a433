import type pg from "pg";
import { inKeyOrder, type MinuteCount } from "./minute-counter.ts";

/** Number of requests to a source, by its name, that were answered 503 (`unavailable`) and 429 (`limited`) in a minute. */
export type OutageCount = MinuteCount<"unavailable" | "limited">;

/**
 * Adds to the counts of the minutes; a batch that was added before, and not answered, is added once. Names that no
 * source has are left out: while the database was away nobody knew.
 */
export async function addOutages(from: pg.Pool, counts: OutageCount[], batch: string): Promise<void> {
  const ordered = inKeyOrder(counts);
  await from.query(
    `WITH batch AS (INSERT INTO minute_batches (id) VALUES ($5) ON CONFLICT DO NOTHING RETURNING id)
     INSERT INTO outage_minutes AS m (source_id, minute, workspace_id, unavailable, limited)
     SELECT s.id, u.minute, s.workspace_id, u.unavailable, u.limited
       FROM batch CROSS JOIN unnest($1::text[], $2::timestamptz[], $3::int[], $4::int[]) WITH ORDINALITY AS u (source, minute, unavailable, limited, n)
       JOIN sources s ON s.name = u.source ORDER BY u.n
     ON CONFLICT (source_id, minute) DO UPDATE
       SET unavailable = m.unavailable + excluded.unavailable, limited = m.limited + excluded.limited`,
    [
      ordered.map(({ source }) => source),
      ordered.map(({ minute }) => minute.toISOString()),
      ordered.map(({ counts: { unavailable } }) => unavailable),
      ordered.map(({ counts: { limited } }) => limited),
      batch,
    ],
  );
}
