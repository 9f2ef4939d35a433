import type pg from "pg";
import { inKeyOrder, type MinuteCount } from "./minute-counter.ts";

/** Number of requests of a source, by its ID, that were rejected in a minute, and of those that were kept. */
export type RejectionCount = MinuteCount<"rejected" | "kept">;

/** Adds to the counts of the minutes; a batch that was added before, and not answered, is added once. */
export async function addRejections(from: pg.Pool, counts: RejectionCount[], batch: string): Promise<void> {
  const ordered = inKeyOrder(counts);
  await from.query(
    `WITH batch AS (INSERT INTO minute_batches (id) VALUES ($5) ON CONFLICT DO NOTHING RETURNING id)
     INSERT INTO rejection_minutes AS m (source_id, minute, workspace_id, rejected, kept)
     SELECT s.id, u.minute, s.workspace_id, u.rejected, u.kept
       FROM batch CROSS JOIN unnest($1::text[], $2::timestamptz[], $3::int[], $4::int[]) WITH ORDINALITY AS u (source, minute, rejected, kept, n)
       JOIN sources s ON s.id = u.source ORDER BY u.n
     ON CONFLICT (source_id, minute) DO UPDATE SET rejected = m.rejected + excluded.rejected, kept = m.kept + excluded.kept`,
    [
      ordered.map(({ source }) => source),
      ordered.map(({ minute }) => minute.toISOString()),
      ordered.map(({ counts: { rejected } }) => rejected),
      ordered.map(({ counts: { kept } }) => kept),
      batch,
    ],
  );
}
