import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { endedSql } from "./connection-store.ts";

/** The connections of all workspaces to which only a person can give access again. */
export async function listLostConnections(): Promise<{ workspaceId: WorkspaceId; id: string; name: string }[]> {
  const { rows } = await pool().query<{ workspaceId: WorkspaceId; id: string; name: string }>(
    `SELECT c.workspace_id AS "workspaceId", c.id, c.name FROM connections c LEFT JOIN connection_tokens t ON t.connection_id = c.id
     WHERE c.state = 'needs_reauthorization' OR ${endedSql("now()")} ORDER BY c.created_at`,
  );
  return rows;
}
