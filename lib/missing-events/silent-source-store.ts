import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** A source that is silent against its habit, and that nobody has dismissed. */
export type SilentSource = { workspaceId: WorkspaceId; sourceId: string; detail: string };

/** The silent sources of all workspaces. */
export async function listSilentSources(): Promise<SilentSource[]> {
  const { rows } = await pool().query<SilentSource>(
    `SELECT workspace_id AS "workspaceId", resource_id AS "sourceId", detail FROM missing_events
     WHERE state = 'open' AND rule = 'source_silent' ORDER BY opened_at LIMIT 1000`,
  );
  return rows;
}

/** The IDs of a workspace's silent sources. */
export async function listSilentSourcesOf(workspaceId: WorkspaceId): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT resource_id AS id FROM missing_events WHERE workspace_id = $1 AND state = 'open' AND rule = 'source_silent' LIMIT 100`,
    [workspaceId],
  );
  return rows.map(({ id }) => id);
}
