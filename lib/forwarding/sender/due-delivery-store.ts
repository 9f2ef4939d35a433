import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { queryRows } from "#lib/db/rows";
import { firstNotHandedOnSql } from "#lib/db/sql";
import { leasedSql } from "./sender-lease-store.ts";

export type MeasuredDelivery = { id: number; subject: string; bytes: number };

export type DueDelivery = MeasuredDelivery & {
  /** Failed attempts since it was last started over. */
  attempts: number;
  starts: number;
  tries: number;
  eventId: string;
  type: string;
  sourceId: string;
  headers: Record<string, string>;
  body: Buffer;
};

/** Null bytes where the event has left the log. */
type Row = Omit<MeasuredDelivery, "bytes"> & { bytes: number | null };

const DELIVERY = "f.id, f.received_at, f.seq, f.subject, f.due_at";

/** Adds the size of each body without loading it: octet_length reads only the header of a stored value. */
const measured = (due: string) =>
  `SELECT d.id, d.subject, d.due_at, octet_length(e.body) AS bytes FROM ${due} d LEFT JOIN events e ON e.received_at = d.received_at AND e.seq = d.seq`;

/** SQL: true if a body is smaller than `size`, where that is given: larger ones are passed over without loading. */
const smallerSql = (of: string, size: string) =>
  `(${size}::int IS NULL OR (SELECT octet_length(e.body) FROM events e WHERE e.received_at = ${of}.received_at AND e.seq = ${of}.seq) < ${size})`;

const IN_TURN = `WITH due AS MATERIALIZED (
    SELECT ${DELIVERY} FROM forward_deliveries f
    WHERE f.destination_id = $1 AND f.state = 'pending' AND (f.due_at <= now() OR $4) AND f.id <> ALL($3::bigint[]) AND ${smallerSql("f", "$5")}
    ORDER BY f.due_at, f.id LIMIT $2)
  ${measured("due")} ORDER BY d.due_at, d.id`;

const MAX_HEADS = 1000;

/**
 * The oldest delivery of each subject, from subject to subject through the index: a subject with a long queue costs the others nothing.
 * Nothing after the first event in the log that was not handed on yet is sent, as that may come before. One statement reads both: between
 * two, an event could arrive and a later one be applied. Where none of MAX_HEADS subjects is due, it tells the last, to go on after it.
 */
const HEADS = `WITH RECURSIVE waits AS MATERIALIZED (${firstNotHandedOnSql("$5")}),
  head AS (
    (SELECT ${DELIVERY}, 1 AS n FROM forward_deliveries f
      WHERE f.destination_id = $1 AND f.state = 'pending' AND f.subject > $4 ORDER BY f.subject, f.seq LIMIT 1)
    UNION ALL
    SELECT next.* FROM head h CROSS JOIN LATERAL (
      SELECT ${DELIVERY}, h.n + 1 FROM forward_deliveries f
      WHERE f.destination_id = $1 AND f.state = 'pending' AND f.subject > h.subject ORDER BY f.subject, f.seq LIMIT 1) next
    WHERE h.n < ${MAX_HEADS} AND ($7::text IS NULL OR h.subject < $7)),
  due AS MATERIALIZED (
    SELECT * FROM head WHERE (due_at <= now() OR $6) AND id <> ALL($3::bigint[]) AND seq < coalesce((SELECT seq FROM waits), 9223372036854775807)
      AND ${smallerSql("head", "$8")} LIMIT $2)
  SELECT looked."lookedTo", b.*
  FROM (SELECT CASE WHEN NOT EXISTS (SELECT FROM due) THEN (SELECT max(subject) FROM head HAVING count(*) = ${MAX_HEADS}) END AS "lookedTo") looked
    LEFT JOIN (${measured("due")}) b ON true
  ORDER BY b.subject, b.id`;

/** `except`: being sent already. `evenIfNotDue`: for a probe. */
export type DueRequest = {
  workspaceId: WorkspaceId;
  destinationId: string;
  limit: number;
  except: number[];
  evenIfNotDue: boolean;
  /** Only bodies with fewer bytes; null for all. */
  smallerThan: number | null;
};

export async function findDue({ destinationId, limit, except, evenIfNotDue, smallerThan }: DueRequest): Promise<MeasuredDelivery[]> {
  const values = [destinationId, limit, except, evenIfNotDue, smallerThan];
  const { rows } = await pool("forwarding").query<Row>({ name: "forward-due", text: IN_TURN, values });
  return withoutOrphans(rows);
}

/** Subjects after one and up to another; null for all after it. */
export type Stretch = { after: string; upTo: string | null };

/** One row without a delivery where none is due. */
type HeadRow = (Row & { lookedTo: null }) | { id: null; lookedTo: string | null };

/** Returns the due ones among the oldest deliveries of the next 1,000 subjects; `last`: subject to go on after, null at the end. */
export async function findDueHeads(
  { workspaceId, destinationId, limit, except, evenIfNotDue, smallerThan }: DueRequest,
  { after, upTo }: Stretch,
): Promise<{ deliveries: MeasuredDelivery[]; last: string | null }> {
  const values = [destinationId, limit, except, after, workspaceId, evenIfNotDue, upTo, smallerThan];
  const { rows } = await pool("forwarding").query<HeadRow>({ name: "forward-due-heads", text: HEADS, values });
  const due = rows.filter((row) => row.id !== null);
  return { deliveries: await withoutOrphans(due), last: due.at(-1)?.subject ?? rows[0]?.lookedTo ?? null };
}

/** Cancels deliveries of events that retention has deleted. */
async function withoutOrphans(rows: Row[]): Promise<MeasuredDelivery[]> {
  const orphans = rows.filter(({ bytes }) => bytes === null).map(({ id }) => id);
  if (orphans.length > 0)
    await pool("forwarding").query(
      `UPDATE forward_deliveries SET state = 'cancelled', finished_at = now(), last_code = 'event_deleted', last_text = 'The event was deleted by retention'
       WHERE id = ANY($1::bigint[]) AND state = 'pending'`,
      [orphans],
    );
  return rows.flatMap(({ id, subject, bytes }) => (bytes === null ? [] : [{ id, subject, bytes }]));
}

/** Loads deliveries in the same order, except of those no longer pending; none where another worker has the destination by now. */
export const loadDue = (deliveries: MeasuredDelivery[], sender: string): Promise<DueDelivery[]> =>
  queryRows<DueDelivery>(pool("forwarding"), {
    name: "forward-load",
    text: `SELECT f.id, f.subject, f.attempts, f.starts, f.tries, f.event_id AS "eventId", f.type, e.source_id AS "sourceId", e.headers, e.body,
        octet_length(e.body) AS bytes
      FROM unnest($1::bigint[]) WITH ORDINALITY AS u(id, place) JOIN forward_deliveries f ON f.id = u.id
        JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq
      WHERE f.state = 'pending' AND ${leasedSql("f.destination_id", "$2")} ORDER BY u.place`,
    values: [deliveries.map(({ id }) => id), sender],
  });
