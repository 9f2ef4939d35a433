import type { WorkspaceId } from "#lib/contracts/api/ids";
import { goneBefore, type Retention } from "#lib/contracts/events/retention";
import { keyOfSql } from "#lib/db/log/key-sql";
import { pool } from "#lib/db/pool";

export async function findRetention(workspaceId: WorkspaceId, now: Date): Promise<Retention> {
  const { rows } = await pool().query<{ days: number; oldest: Date | null }>(
    `SELECT w.retention_days AS days, (SELECT min(received_at) FROM events WHERE workspace_id = w.id) AS oldest
     FROM workspaces w WHERE w.id = $1`,
    [workspaceId],
  );
  const { days = 90, oldest = null } = rows[0] ?? {};
  return { days, goneBefore: goneBefore(days, now).toISOString(), oldestReceivedAt: oldest?.toISOString() ?? null };
}

/** Sets the days that the workspace keeps its events. Returns the number before. */
export async function saveRetention(workspaceId: WorkspaceId, days: number): Promise<number | null> {
  const { rows } = await pool().query<{ days: number }>(
    `WITH before AS (SELECT id, retention_days AS days FROM workspaces WHERE id = $1 FOR UPDATE)
     UPDATE workspaces w SET retention_days = $2 FROM before b WHERE w.id = b.id RETURNING b.days`,
    [workspaceId, days],
  );
  return rows[0]?.days ?? null;
}

export async function listForgotten(workspaceId: WorkspaceId, eventIds: string[]): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await pool().query<{ id: string }>(
    `SELECT u.id FROM unnest($2::text[]) AS u(id)
     WHERE NOT EXISTS (SELECT 1 FROM event_keys k WHERE ${keyOfSql("k", "$1")} AND k.event_id = u.id)`,
    [workspaceId, eventIds],
  );
  return rows.map(({ id }) => id);
}
