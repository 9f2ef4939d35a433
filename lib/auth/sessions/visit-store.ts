import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** Who comes back within this time is still on the same visit. */
const SAME_VISIT = "30 minutes";

/** Notes that a person looks now. After half an hour of absence a new visit begins. */
export async function noteVisit(workspaceId: WorkspaceId, userId: string, now: Date): Promise<void> {
  await pool().query(
    `INSERT INTO visits (workspace_id, user_id, seen_at) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, user_id) DO UPDATE SET seen_at = excluded.seen_at,
       previous_at = CASE WHEN visits.seen_at < excluded.seen_at - INTERVAL '${SAME_VISIT}' THEN visits.seen_at ELSE visits.previous_at END`,
    [workspaceId, userId, now],
  );
}

/** Returns when the visit before this one ended; null when this is the first. */
export async function findLastVisit(workspaceId: WorkspaceId, userId: string): Promise<Date | null> {
  const { rows } = await pool().query<{ previous_at: Date | null }>(
    "SELECT previous_at FROM visits WHERE workspace_id = $1 AND user_id = $2",
    [workspaceId, userId],
  );
  return rows[0]?.previous_at ?? null;
}
