import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** Requests that were rejected within the last minutes, by source; of the workspaces and sources that have any, the most first. */
export async function countRejectedWithin(minutes: number): Promise<{ workspaceId: WorkspaceId; source: string; requests: number }[]> {
  const { rows } = await pool().query<{ workspaceId: WorkspaceId; source: string; requests: number }>(
    `SELECT q.workspace_id AS "workspaceId", s.name AS source, count(*) AS requests FROM quarantine q JOIN sources s ON s.id = q.source_id
      WHERE q.received_at > now() - make_interval(mins => $1) AND q.reason <> 'source_paused'
      GROUP BY q.workspace_id, s.name ORDER BY count(*) DESC, s.name`,
    [minutes],
  );
  return rows;
}
