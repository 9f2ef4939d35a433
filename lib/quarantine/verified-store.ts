import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { bodiesWithinBytes } from "#lib/db/within-bytes";
import { QUARANTINE_COLUMNS, type QuarantinedRequest, type QuarantineRow, quarantinedRequestOf } from "./quarantine-store.ts";

/** The newest requests of a source that verified, and were neither released nor dismissed; at most 16 MB of bodies. */
export async function listVerifiedOf(
  from: pg.Pool,
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  limit: number,
): Promise<QuarantinedRequest[]> {
  const { rows } = await from.query<QuarantineRow>(
    bodiesWithinBytes(
      `SELECT ${QUARANTINE_COLUMNS}, q.body FROM quarantine q JOIN sources s ON s.id = q.source_id
       WHERE q.workspace_id = $1 AND q.source_id = $2 AND q.verified AND q.released_at IS NULL AND q.dismissed_at IS NULL
       ORDER BY q.received_at DESC, q.id DESC LIMIT $3`,
      "received_at DESC, id DESC",
    ),
    [workspaceId, sourceId, limit],
  );
  return rows.map(quarantinedRequestOf);
}
