import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";

/** Looked at from the beginning of what waits in a log: it is in the order of commits, nearly that of receipt. */
const FIRST = 100;

/** What had happened at a moment of the database's clock, and what had not been applied. */
export type LogPicture = { at: Date; position: string; waiting: { workspaceId: WorkspaceId; since: Date }[] };

/**
 * The moment, a position above all that is committed, and since when the oldest first delivery of each workspace
 * waits: one look, so that what does not wait was applied by transactions below the position.
 */
export async function readLogPicture(client: pg.ClientBase): Promise<LogPicture> {
  const { rows } = await client.query<{ at: Date; position: string; workspaceId: WorkspaceId | null; since: Date }>(
    `SELECT statement_timestamp() AS at, w."workspaceId", w.since, (pg_snapshot_xmax(pg_current_snapshot())::text::bigint
       + coalesce((SELECT c."offset" FROM log_clock c WHERE c.id = 1), 0))::text AS position
     FROM (SELECT 1) one LEFT JOIN (
       SELECT p.workspace_id AS "workspaceId", min(t.received_at) AS since FROM log_places p CROSS JOIN LATERAL (
         SELECT i.received_at FROM inbox i WHERE i.workspace_id = p.workspace_id AND i.redelivery_id IS NULL
         UNION ALL SELECT l.received_at FROM waiting_in_log(p.workspace_id, ${FIRST}) l) t
       GROUP BY p.workspace_id) w ON true`,
  );
  const [first] = rows;
  if (!first) throw new Error("the database has no time");
  return { ...first, waiting: rows.flatMap(({ workspaceId, since }) => (workspaceId ? [{ workspaceId, since }] : [])) };
}
