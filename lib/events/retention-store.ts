import type { WorkspaceId } from "#lib/contracts/ids";
import { goneBefore, type Retention } from "#lib/contracts/retention";
import { pool } from "#lib/db/pool";

/** How long the workspace keeps its events, and how far back they reach. */
export async function findRetention(workspaceId: WorkspaceId, now: Date): Promise<Retention> {
  const { rows } = await pool().query<{ days: number; oldest: Date | null }>(
    `SELECT w.retention_days AS days, (SELECT min(received_at) FROM events WHERE workspace_id = w.id) AS oldest
     FROM workspaces w WHERE w.id = $1`,
    [workspaceId],
  );
  const { days = 90, oldest = null } = rows[0] ?? {};
  return { days, goneBefore: goneBefore(days, now).toISOString(), oldestReceivedAt: oldest?.toISOString() ?? null };
}

/** Sets how long the workspace keeps its events, in days. */
export async function saveRetention(workspaceId: WorkspaceId, days: number): Promise<void> {
  await pool().query("UPDATE workspaces SET retention_days = $2 WHERE id = $1", [workspaceId, days]);
}

/** Those of the events that the log no longer holds. */
export async function listForgotten(workspaceId: WorkspaceId, eventIds: string[]): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await pool().query<{ id: string }>(
    `SELECT u.id FROM unnest($2::text[]) AS u(id)
     WHERE NOT EXISTS (SELECT 1 FROM event_keys k WHERE k.workspace_id = $1 AND k.event_id = u.id)`,
    [workspaceId, eventIds],
  );
  return rows.map(({ id }) => id);
}
