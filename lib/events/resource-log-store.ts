import type { WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";

/** An event of a resource, as a fold reads it. */
export type LoggedEvent = { eventId: string; type: string; created: number; body: Buffer };

/**
 * The events that speak of any of these resources of one kind and were created
 * up to a moment; each once, in no promised order.
 *
 * @param until Unix seconds, inclusive
 * @param max when there are more, the last received are taken
 */
export async function listLogOf(
  workspaceId: WorkspaceId,
  kind: string,
  refs: string[],
  until: number,
  max: number,
): Promise<LoggedEvent[]> {
  // Of one resource the index gives them in order, and the reading ends at `max`; several may share an event.
  const [one] = refs.length === 1 ? refs : [];
  const found =
    one === undefined
      ? "(SELECT DISTINCT received_at, seq FROM event_refs WHERE workspace_id = $1 AND kind = $2 AND ref = ANY($3::text[]))"
      : "(SELECT received_at, seq FROM event_refs WHERE workspace_id = $1 AND kind = $2 AND ref = $3)";
  const { rows } = await pool().query<{ event_id: string; type: string; created: number; body: Buffer }>(
    `SELECT e.event_id, e.type, e.created, e.body FROM ${found} f JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq
     WHERE e.created <= $4 ORDER BY f.received_at DESC, f.seq DESC LIMIT $5`,
    [workspaceId, kind, one ?? refs, until, max],
  );
  return rows.map((row) => ({ eventId: row.event_id, type: row.type, created: row.created, body: row.body }));
}

/** A second of the platform's time in which events of a resource were created. */
export type LoggedMoment = { created: number; events: number; types: string[] };

/** Of this many events, the last received, the moments are taken. */
const HEARD = 5000;

/** The newest moments of a resource, newest first, at most `max`. */
export async function listMoments(workspaceId: WorkspaceId, kind: string, ref: string, max: number): Promise<LoggedMoment[]> {
  const { rows } = await pool().query<LoggedMoment>(
    `WITH heard AS (
       SELECT e.created, e.type FROM event_refs f JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq
       WHERE f.workspace_id = $1 AND f.kind = $2 AND f.ref = $3 ORDER BY f.received_at DESC, f.seq DESC LIMIT ${HEARD})
     SELECT created, count(*) AS events, array_agg(DISTINCT type ORDER BY type) AS types FROM heard GROUP BY created ORDER BY created DESC LIMIT $4`,
    [workspaceId, kind, ref, max],
  );
  return rows;
}
