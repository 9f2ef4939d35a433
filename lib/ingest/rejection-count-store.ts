import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";

/** How many requests of a source were rejected in a minute, and how many of those were kept. */
export type RejectionCount = { sourceId: SourceId; workspaceId: WorkspaceId; minute: Date; rejected: number; kept: number };

/** Adds to the counts of the minutes. In the order of their keys, so that two processes never wait for each other in a circle. */
export async function addRejections(from: pg.Pool, counts: RejectionCount[]): Promise<void> {
  const ordered = counts.toSorted((a, b) => a.sourceId.localeCompare(b.sourceId) || a.minute.getTime() - b.minute.getTime());
  await from.query(
    `INSERT INTO rejection_minutes AS m (source_id, minute, workspace_id, rejected, kept)
     SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::int[], $5::int[])
     ON CONFLICT (source_id, minute) DO UPDATE SET rejected = m.rejected + excluded.rejected, kept = m.kept + excluded.kept`,
    [
      ordered.map(({ sourceId }) => sourceId),
      ordered.map(({ minute }) => minute.toISOString()),
      ordered.map(({ workspaceId }) => workspaceId),
      ordered.map(({ rejected }) => rejected),
      ordered.map(({ kept }) => kept),
    ],
  );
}
