import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/**
 * A source's row says when it last received an event, or a little earlier: the database moves it on when an event
 * comes more than ten seconds later (the trigger `note_source_arrivals`). So the last event lies within this time after it.
 */
const WITHIN = "interval '30 seconds'";

/** Returns when each of the workspace's sources last received an event, by the source's id. A source without events has none. */
export async function listLastArrivals(workspaceId: WorkspaceId): Promise<Map<string, Date>> {
  const { rows } = await pool().query<{ id: string; at: Date }>(
    `SELECT a.source_id AS id, coalesce(
       (SELECT e.received_at FROM events e
         WHERE e.workspace_id = $1 AND e.source_id = a.source_id AND e.received_at >= a.received_at AND e.received_at <= a.received_at + ${WITHIN}
         ORDER BY e.received_at DESC, e.seq DESC LIMIT 1), a.received_at) AS at
       FROM source_arrivals a WHERE a.workspace_id = $1`,
    [workspaceId],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/**
 * The moment after which a source has received nothing, as SQL; NULL for a source without events. The log of an idle
 * source is read from there on, and not from its end.
 *
 * @param workspace placeholder of the workspace's id
 * @param name placeholder of the source's name
 */
export const lastArrivalSql = (workspace: string, name: string): string =>
  `(SELECT a.received_at + ${WITHIN} FROM source_arrivals a JOIN sources x ON x.id = a.source_id WHERE x.workspace_id = ${workspace} AND x.name = ${name})`;
