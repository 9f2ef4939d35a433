import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { waitingPlacesSql } from "#lib/db/sql";

/** The places of everything that waits in any workspace: `received_at`, `seq`. */
export const EVERYTHING_WAITING = `(SELECT received_at, seq FROM inbox UNION ALL
  SELECT l.received_at, l.seq FROM log_places p CROSS JOIN LATERAL waiting_in_log(p.workspace_id) l)`;

/** An event `e` of a range that was applied partly was moved to the inbox: it waits there, or was applied from there. */
const MOVED = `EXISTS (SELECT 1 FROM inbox i WHERE i.received_at = e.received_at AND i.seq = e.seq AND i.redelivery_id IS NULL)
  OR EXISTS (SELECT 1 FROM attempts a WHERE a.received_at = e.received_at AND a.seq = e.seq AND a.redelivery_id IS NULL AND a.outcome <> 'failed')`;

/**
 * Every try of every event: those that have rows, and the first deliveries that were applied with their ranges, once
 * for each range that says so. Columns `workspace_id`, `received_at`, `seq`, `redelivery_id`, `outcome`, `at`.
 */
export const EVERY_TRY = `(SELECT workspace_id, received_at, seq, redelivery_id, outcome, at FROM attempts UNION ALL
  SELECT e.workspace_id, e.received_at, e.seq, NULL, 'applied', g.ended_at FROM log_ranges g JOIN events e ON e.workspace_id = g.workspace_id
    AND (e.xid, e.seq) > (g.from_xid, g.from_seq) AND (e.xid, e.seq) <= (g.to_xid, g.to_seq)
  WHERE (g.state = 'applied' OR (g.state = 'partly' AND NOT (${MOVED}))) AND NOT EXISTS (
    SELECT 1 FROM attempts a WHERE a.received_at = e.received_at AND a.seq = e.seq AND a.redelivery_id IS NULL AND a.outcome = 'failed' AND a.number = 1))`;

/** Returns how many events wait, in one workspace or in all. */
export async function countWaiting(workspaceId?: WorkspaceId): Promise<number> {
  const [from, values] = workspaceId === undefined ? [EVERYTHING_WAITING, []] : [waitingPlacesSql("$1"), [workspaceId]];
  const { rows } = await pool().query<{ n: number }>(`SELECT count(*) AS n FROM ${from} w`, values);
  return rows[0]?.n ?? 0;
}

/** Lets everything that waits go by, as if it had been applied long ago. */
export async function passOverWaiting(workspaceId?: WorkspaceId): Promise<void> {
  const one = workspaceId ?? null;
  await pool().query("DELETE FROM inbox WHERE $1::text IS NULL OR workspace_id = $1", [one]);
  await pool().query("DELETE FROM log_ranges WHERE ended_at IS NULL AND ($1::text IS NULL OR workspace_id = $1)", [one]);
  await pool().query(
    `UPDATE log_places p SET xid = e.xid, seq = e.seq FROM log_places w CROSS JOIN LATERAL (
       SELECT xid, seq FROM events e WHERE e.workspace_id = w.workspace_id ORDER BY xid DESC, seq DESC LIMIT 1) e
     WHERE p.workspace_id = w.workspace_id AND ($1::text IS NULL OR p.workspace_id = $1)`,
    [one],
  );
}
