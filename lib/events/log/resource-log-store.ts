import type { WorkspaceId } from "#lib/contracts/api/ids";
import { eventSecondsSql } from "#lib/db/log/event-time-sql";
import { pool } from "#lib/db/pool";
import { Pauses } from "#lib/time/pauses";
import { findBodies, type SizedEvent, SLICE_BYTES, slicesOf } from "./body-store.ts";

/** An event of a resource, as a fold reads it. */
export type LoggedEvent = { receivedAt: Date; sourceId: string; eventId: string; type: string; created: number; body: Buffer };

/** Which events: those that name any of these resources of one kind and were created up to a moment (Unix seconds, inclusive). */
export type LogOf = { kind: string; refs: string[]; until: number };

/** Most that is read of it: a number of events, and bytes of their bodies together. The last received are taken. */
export type LogBounds = { events: number; bytes: number };

/** Number of events read, and of all; `more` when there are more than were counted. */
export type LogCoverage = { read: number; total: number; more: boolean };

type Row = SizedEvent & { source_id: string; event_id: string; type: string; created: number; body: Buffer | null };

/**
 * Hands the events to `visit`, each once, in no promised order. A body beyond the bounds is never read: of it the
 * database tells the length, which it knows without the body. At least one event is read, whatever its size.
 */
export async function visitLogOf(
  workspaceId: WorkspaceId,
  log: LogOf,
  bounds: LogBounds,
  visit: (event: LoggedEvent) => void,
): Promise<LogCoverage> {
  const rows = await listSized(workspaceId, log, bounds.events + 1);
  const within = withinBytes(rows.slice(0, bounds.events), bounds.bytes);
  const pauses = new Pauses();
  for (const slice of slicesOf(within))
    for (const event of await withBodies(slice)) {
      visit(event);
      await pauses.afterPiece();
    }
  return { read: within.length, total: Math.min(rows.length, bounds.events), more: rows.length > bounds.events };
}

/** The newest events with their lengths; the first slice of them with their bodies. */
async function listSized(workspaceId: WorkspaceId, { kind, refs, until }: LogOf, max: number): Promise<Row[]> {
  // Of one resource the index gives them in order, and the reading ends at `max`; several may share an event.
  const [one] = refs.length === 1 ? refs : [];
  const found =
    one === undefined
      ? "(SELECT DISTINCT received_at, seq FROM event_refs WHERE workspace_id = $1 AND kind = $2 AND ref = ANY($3::text[]))"
      : "(SELECT received_at, seq FROM event_refs WHERE workspace_id = $1 AND kind = $2 AND ref = $3)";
  const { rows } = await pool().query<Row>(
    `SELECT received_at, seq, octet_length(body) AS bytes, source_id, event_id, type, created,
            CASE WHEN sum(octet_length(body)) OVER (ORDER BY received_at DESC, seq DESC) <= ${SLICE_BYTES} THEN body END AS body
       FROM (SELECT e.received_at, e.seq, e.source_id, e.event_id, e.type, e.created, e.body
               FROM ${found} f JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq
              WHERE ${eventSecondsSql("e")} <= $4 ORDER BY f.received_at DESC, f.seq DESC LIMIT $5) newest
      ORDER BY received_at DESC, seq DESC`,
    [workspaceId, kind, one ?? refs, until, max],
  );
  return rows;
}

/** The first rows that together keep to the bound; one at least. */
function withinBytes(rows: Row[], bytes: number): Row[] {
  let sum = 0;
  const end = rows.findIndex((row, index) => {
    sum += row.bytes;
    return index > 0 && sum > bytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** One record's events up to a moment (Unix seconds, inclusive). */
export type RecordLog = { kind: string; ref: string; until: number };

/** Place of an event in the log. */
export type Place = { receivedAt: Date; seq: number };

/** An event as it is found beside another, without its body; `at` orders it, Unix seconds. */
export type FoundEvent = Row & { at: number };

/** Events found on one side of a place, and `last`, where the look ended; null when it came to the end of the log. */
export type Found = { events: FoundEvent[]; last: Place | null };

const besideSql = (sign: "<" | ">", order: "DESC" | "ASC", back: "DESC" | "ASC") => `WITH looked AS MATERIALIZED (
    SELECT received_at, seq FROM event_refs
     WHERE workspace_id = $1 AND kind = $2 AND ref = $3 AND received_at ${sign}= $4 AND (received_at, seq) ${sign} ($4, $5::bigint)
     ORDER BY received_at ${order}, seq ${order} LIMIT $6),
  last AS (SELECT received_at AS last_at, seq AS last_seq, count(*) OVER () AS looked FROM looked
     ORDER BY looked.received_at ${back}, seq ${back} LIMIT 1)
  SELECT l.*, f.* FROM last l LEFT JOIN (
    SELECT e.received_at, e.seq, octet_length(e.body) AS bytes, e.source_id, e.event_id, e.type, e.created, NULL::bytea AS body,
           ${eventSecondsSql("e")} AS at
      FROM looked JOIN events e ON e.received_at = looked.received_at AND e.seq = looked.seq
     WHERE ${eventSecondsSql("e")} <= $7) f ON true`;
const BEFORE = besideSql("<", "DESC", "ASC");
const AFTER = besideSql(">", "ASC", "DESC");

/** Looks at the `most` events of a record that were received next before or after a place; finds those created up to the moment. */
export async function findBeside(
  workspaceId: WorkspaceId,
  { kind, ref, until }: RecordLog,
  place: Place,
  side: "before" | "after",
  most: number,
): Promise<Found> {
  const { rows } = await pool().query<{ looked: number; last_at: Date; last_seq: number } & ({ seq: null } | FoundEvent)>(
    side === "before" ? BEFORE : AFTER,
    [workspaceId, kind, ref, place.receivedAt.toISOString(), place.seq, most, until],
  );
  const [first] = rows;
  const events = rows.filter((row): row is typeof row & FoundEvent => row.seq !== null);
  return { events, last: first && first.looked === most ? { receivedAt: first.last_at, seq: first.last_seq } : null };
}

/** Reads the bodies of found events; one that has left the log meanwhile is left out. */
export const readFound = (events: FoundEvent[]): Promise<LoggedEvent[]> => withBodies(events);

async function withBodies(slice: Row[]): Promise<LoggedEvent[]> {
  const bodies = await findBodies(slice.filter(({ body }) => body === null));
  return slice.flatMap(({ received_at, source_id, event_id, type, created, seq, body }) => {
    const found = body ?? bodies.get(seq);
    return found ? [{ receivedAt: received_at, sourceId: source_id, eventId: event_id, type, created, body: found }] : [];
  });
}

/** A second of the platform's time in which events of a resource were created. */
export type LoggedMoment = { created: number; events: number; types: string[] };

/** Of this many events, the last received, the moments are taken. */
const RECENT_EVENTS = 5000;

/** The newest moments of a resource, newest first, at most `max`. */
export async function listMoments(workspaceId: WorkspaceId, kind: string, ref: string, max: number): Promise<LoggedMoment[]> {
  const { rows } = await pool().query<LoggedMoment>(
    `WITH recent AS (
       SELECT ${eventSecondsSql("e")} AS created, e.type FROM event_refs f JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq
       WHERE f.workspace_id = $1 AND f.kind = $2 AND f.ref = $3 ORDER BY f.received_at DESC, f.seq DESC LIMIT ${RECENT_EVENTS})
     SELECT created, count(*) AS events, array_agg(DISTINCT type ORDER BY type) AS types FROM recent GROUP BY created ORDER BY created DESC LIMIT $4`,
    [workspaceId, kind, ref, max],
  );
  return rows;
}
