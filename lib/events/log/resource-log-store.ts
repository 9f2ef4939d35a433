import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ResourceRef } from "#lib/contracts/events/events";
import { arraysOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import { queryRows } from "#lib/db/rows";
import { eventSecondsSql, type LoggedEvent } from "#lib/db/sql";
import { Pauses } from "#lib/time/waits";
import { findBodies, SLICE_BYTES, slicesOf } from "./event-body-store.ts";

/** Events that name any of these resources of one kind and were created up to a moment (Unix seconds, inclusive). */
export type LogOf = { kind: string; refs: string[]; until: number };

/** Limits on the events read, the last received first; `bytes` is the sum of their bodies. */
type LogBounds = { events: number; bytes: number };

type LogCoverage = { read: number; total: number; more: boolean };

type Row = Omit<LoggedEvent, "body"> & { bytes: number; body: Buffer | null };

/** Hands each event to `visit` once, in no particular order. Bodies beyond the bounds are never read; at least one event is. */
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

/** Returns the newest events with their lengths, those of the first slice with their bodies. */
async function listSized(workspaceId: WorkspaceId, { kind, refs, until }: LogOf, max: number): Promise<Row[]> {
  // For one resource the index gives its events in order, and reading ends at `max`; several may share an event.
  const [one] = refs.length === 1 ? refs : [];
  const found =
    one === undefined
      ? "(SELECT DISTINCT received_at, seq FROM event_refs WHERE workspace_id = $1 AND kind = $2 AND ref = ANY($3::text[]))"
      : "(SELECT received_at, seq FROM event_refs WHERE workspace_id = $1 AND kind = $2 AND ref = $3)";
  return queryRows<Row>(
    pool(),
    `SELECT received_at AS "receivedAt", seq, octet_length(body) AS bytes, source_id AS "sourceId", event_id AS "eventId", type, created,
            CASE WHEN sum(octet_length(body)) OVER (ORDER BY received_at DESC, seq DESC) <= ${SLICE_BYTES} THEN body END AS body
       FROM (SELECT e.received_at, e.seq, e.source_id, e.event_id, e.type, e.created, e.body
               FROM ${found} f JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq
              WHERE ${eventSecondsSql("e")} <= $4 ORDER BY f.received_at DESC, f.seq DESC LIMIT $5) newest
      ORDER BY received_at DESC, seq DESC`,
    [workspaceId, kind, one ?? refs, until, max],
  );
}

function withinBytes(rows: Row[], bytes: number): Row[] {
  let sum = 0;
  const end = rows.findIndex((row, index) => {
    sum += row.bytes;
    return index > 0 && sum > bytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

type RecordLog = { kind: string; ref: string; until: number };

export type Place = { receivedAt: Date; seq: number };

/** An event found near another, without its body; `at` orders it, Unix seconds. */
export type FoundEvent = Row & { at: number };

/** Events on one side of a place; `last` is where the look ended, null at the end of the log. */
type Found = { events: FoundEvent[]; last: Place | null };

const besideSql = (sign: "<" | ">", order: "DESC" | "ASC", back: "DESC" | "ASC") => `WITH looked AS MATERIALIZED (
    SELECT received_at, seq FROM event_refs
     WHERE workspace_id = $1 AND kind = $2 AND ref = $3 AND received_at ${sign}= $4 AND (received_at, seq) ${sign} ($4, $5::bigint)
     ORDER BY received_at ${order}, seq ${order} LIMIT $6),
  last AS (SELECT received_at AS last_at, seq AS last_seq, count(*) OVER () AS looked FROM looked
     ORDER BY looked.received_at ${back}, seq ${back} LIMIT 1)
  SELECT l.*, f.* FROM last l LEFT JOIN (
    SELECT e.received_at AS "receivedAt", e.seq, octet_length(e.body) AS bytes, e.source_id AS "sourceId", e.event_id AS "eventId", e.type, e.created, NULL::bytea AS body,
           ${eventSecondsSql("e")} AS at
      FROM looked JOIN events e ON e.received_at = looked.received_at AND e.seq = looked.seq
     WHERE ${eventSecondsSql("e")} <= $7) f ON true`;
const BEFORE = besideSql("<", "DESC", "ASC");
const AFTER = besideSql(">", "ASC", "DESC");

/** Looks at the `most` events of a record received next before or after a place. Returns those created up to the moment. */
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

export const readFound = (events: FoundEvent[]): Promise<LoggedEvent[]> => withBodies(events);

async function withBodies(slice: Row[]): Promise<LoggedEvent[]> {
  const bodies = await findBodies(slice.filter(({ body }) => body === null));
  return slice.flatMap((event) => {
    const body = event.body ?? bodies.get(event.seq);
    return body ? [{ ...event, body }] : [];
  });
}

/** A second of the platform's time in which events of a resource were created. */
type LoggedMoment = { created: number; events: number; types: string[] };

/** Number of the last received events of which the moments are taken. */
const RECENT_EVENTS = 5000;

export const listMoments = (workspaceId: WorkspaceId, kind: string, ref: string, max: number): Promise<LoggedMoment[]> =>
  queryRows<LoggedMoment>(
    pool(),
    `WITH recent AS (
       SELECT ${eventSecondsSql("e")} AS created, e.type FROM event_refs f JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq
       WHERE f.workspace_id = $1 AND f.kind = $2 AND f.ref = $3 ORDER BY f.received_at DESC, f.seq DESC LIMIT ${RECENT_EVENTS})
     SELECT created, count(*) AS events, array_agg(DISTINCT type ORDER BY type) AS types FROM recent GROUP BY created ORDER BY created DESC LIMIT $4`,
    [workspaceId, kind, ref, max],
  );

export type EventRefs = { workspaceId: WorkspaceId; receivedAt: Date; seq: number; refs: ResourceRef[] };

export async function insertRefs(client: pg.PoolClient, events: EventRefs[]): Promise<void> {
  const rows = events.flatMap(({ refs, ...event }) => refs.map((ref) => ({ ...event, ...ref })));
  if (rows.length === 0) return;
  await client.query({
    name: "refs-insert",
    text: `INSERT INTO event_refs (workspace_id, kind, ref, received_at, seq)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::bigint[]) ON CONFLICT DO NOTHING`,
    values: arraysOf(rows, "workspaceId", "kind", "id", "receivedAt", "seq"),
  });
}
