import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** SQL: true for a request that came while its source was paused and is neither released nor dismissed. */
export const HELD = "q.reason = 'source_paused' AND q.released_at IS NULL AND q.dismissed_at IS NULL";

const MAX_COUNTED = 1001;

/** `held` is counted up to 1,001. */
export type HoldingSource = { id: string; name: string; held: number };

export async function listHolding(workspaceId: WorkspaceId): Promise<HoldingSource[]> {
  const { rows } = await pool().query<HoldingSource>(
    `SELECT s.id, s.name, (SELECT count(*)::int FROM (
       SELECT 1 FROM quarantine q WHERE q.workspace_id = s.workspace_id AND q.source_id = s.id AND ${HELD} LIMIT ${MAX_COUNTED}) h) AS held
       FROM sources s WHERE s.workspace_id = $1 AND s.paused_at IS NOT NULL AND s.archived_at IS NULL ORDER BY s.name`,
    [workspaceId],
  );
  return rows;
}

/** True if a source holds requests. Within the transaction that resumes it, none comes after. */
export async function holdsAny(client: pg.PoolClient, workspaceId: WorkspaceId, sourceId: SourceId): Promise<boolean> {
  const { rows } = await client.query<{ any: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM quarantine q WHERE q.workspace_id = $1 AND q.source_id = $2 AND ${HELD}) AS any`,
    [workspaceId, sourceId],
  );
  return rows[0]?.any ?? false;
}
