import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** A source's row may lag: the trigger `note_source_arrivals` moves it when an event comes more than ten seconds later. */
const WITHIN = "interval '30 seconds'";

/** Returns when each source last received an event, by the source's ID. A source without events has none. */
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

/** SQL of the moment after which a source has received nothing (NULL without events): its log is read from there. Takes placeholders. */
export const lastArrivalSql = (workspace: string, name: string): string =>
  `(SELECT a.received_at + ${WITHIN} FROM source_arrivals a JOIN sources x ON x.id = a.source_id WHERE x.workspace_id = ${workspace} AND x.name = ${name})`;
