import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { CUTOFF, DAYS_KEPT } from "#lib/db/log/retention-cutoff";
import { pool } from "#lib/db/pool";
import { HELD } from "./held-store.ts";

const KEEP_DAYS = 30;
const KEEP_PER_SOURCE = 10_000;

/** Bounds requests that never verified in age and number. Verified ones were acknowledged, and retention deletes them. */
export async function pruneUnverified(): Promise<number> {
  const { rowCount } = await pool("worker").query(
    `DELETE FROM quarantine WHERE NOT verified AND (received_at < now() - make_interval(days => $1) OR id IN (
       SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY source_id ORDER BY received_at DESC, id DESC) AS n
                         FROM quarantine WHERE NOT verified) ranked
       WHERE n > $2))`,
    [KEEP_DAYS, KEEP_PER_SOURCE],
  );
  return rowCount ?? 0;
}

export async function deleteOldRejections(): Promise<number> {
  const { rowCount } = await pool("worker").query("DELETE FROM rejection_minutes WHERE minute < now() - make_interval(days => $1)", [
    KEEP_DAYS,
  ]);
  return rowCount ?? 0;
}

/** SQL: true for a verified request beyond retention. One that a paused source holds is kept until that is resumed. */
const EXPIRED = `q.verified AND NOT (${HELD}) AND q.received_at < ${CUTOFF(DAYS_KEPT)}`;

export async function listExpiredQuarantines(): Promise<WorkspaceId[]> {
  const { rows } = await pool("worker").query<{ id: WorkspaceId }>(
    `SELECT w.id FROM workspaces w WHERE EXISTS (
       SELECT 1 FROM quarantine q JOIN sources s ON s.id = q.source_id WHERE q.workspace_id = w.id AND ${EXPIRED})`,
  );
  return rows.map(({ id }) => id);
}

/** `released`: number of them that had become events. */
export type ExpiredQuarantine = { count: number; released: number; from: Date; to: Date };

/** Deletes the oldest verified requests beyond the workspace's retention; null when there are none. */
export async function deleteExpiredQuarantine(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  limit: number,
): Promise<ExpiredQuarantine | null> {
  const { rows } = await client.query<{ count: number; released: number; from: Date | null; to: Date | null }>(
    `WITH gone AS (
       DELETE FROM quarantine WHERE id IN (
         SELECT q.id FROM quarantine q JOIN workspaces w ON w.id = q.workspace_id JOIN sources s ON s.id = q.source_id
         WHERE q.workspace_id = $1 AND ${EXPIRED}
         ORDER BY q.received_at, q.id LIMIT $2)
       RETURNING received_at, released_at)
     SELECT count(*), count(released_at) AS released, min(received_at) AS "from", max(received_at) AS "to" FROM gone`,
    [workspaceId, limit],
  );
  const [row] = rows;
  return row?.from && row.to ? { count: row.count, released: row.released, from: row.from, to: row.to } : null;
}
