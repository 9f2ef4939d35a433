import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** Requests that were quarantined within the last minutes, of the workspaces that have any. */
export async function countQuarantinedWithin(minutes: number): Promise<{ workspaceId: WorkspaceId; requests: number }[]> {
  const { rows } = await pool().query<{ workspaceId: WorkspaceId; requests: number }>(
    `SELECT workspace_id AS "workspaceId", count(*) AS requests FROM quarantine
     WHERE received_at > now() - make_interval(mins => $1) GROUP BY workspace_id`,
    [minutes],
  );
  return rows;
}
