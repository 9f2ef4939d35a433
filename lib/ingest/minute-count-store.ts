import type pg from "pg";
import { arraysOf } from "#lib/db/columns";
import { inKeyOrder, type MinuteCount } from "./minute-counter.ts";

/** Requests to a source, by name, that were answered 503 (`unavailable`) and 429 (`limited`). */
export type OutageCount = MinuteCount<"unavailable" | "limited">;

export type RejectionCount = MinuteCount<"rejected" | "kept">;

const ADD_OUTAGES = `WITH batch AS (INSERT INTO minute_batches (id) VALUES ($5) ON CONFLICT DO NOTHING RETURNING id)
  INSERT INTO outage_minutes AS m (source_id, minute, workspace_id, unavailable, limited)
  SELECT s.id, u.minute, s.workspace_id, u.one, u.other
    FROM batch CROSS JOIN unnest($1::text[], $2::timestamptz[], $3::int[], $4::int[]) WITH ORDINALITY AS u (source, minute, one, other, n)
    JOIN sources s ON s.name = u.source ORDER BY u.n
  ON CONFLICT (source_id, minute) DO UPDATE
    SET unavailable = m.unavailable + excluded.unavailable, limited = m.limited + excluded.limited`;

const ADD_REJECTIONS = `WITH batch AS (INSERT INTO minute_batches (id) VALUES ($5) ON CONFLICT DO NOTHING RETURNING id)
  INSERT INTO rejection_minutes AS m (source_id, minute, workspace_id, rejected, kept)
  SELECT s.id, u.minute, s.workspace_id, u.one, u.other
    FROM batch CROSS JOIN unnest($1::text[], $2::timestamptz[], $3::int[], $4::int[]) WITH ORDINALITY AS u (source, minute, one, other, n)
    JOIN sources s ON s.id = u.source ORDER BY u.n
  ON CONFLICT (source_id, minute) DO UPDATE SET rejected = m.rejected + excluded.rejected, kept = m.kept + excluded.kept`;

/** Leaves out names that no source has: they can't be checked while the database is away. */
export const addOutages = (from: pg.Pool, counts: OutageCount[], batch: string): Promise<void> =>
  add(from, ADD_OUTAGES, batch, counts, ["unavailable", "limited"]);

export const addRejections = (from: pg.Pool, counts: RejectionCount[], batch: string): Promise<void> =>
  add(from, ADD_REJECTIONS, batch, counts, ["rejected", "kept"]);

/** Adds a batch once, even if it was written before and the answer was lost. */
async function add<Name extends string>(
  from: pg.Pool,
  text: string,
  batch: string,
  counts: MinuteCount<Name>[],
  [one, other]: readonly [Name, Name],
): Promise<void> {
  const ordered = inKeyOrder(counts);
  await from.query(text, [
    ...arraysOf(ordered, "source", "minute"),
    ordered.map(({ counts }) => counts[one]),
    ordered.map(({ counts }) => counts[other]),
    batch,
  ]);
}
