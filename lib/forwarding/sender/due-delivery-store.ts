import type { WorkspaceId } from "#lib/contracts/api/ids";
import { firstNotHandedOnSql } from "#lib/db/log/waiting-sql";
import { pool } from "#lib/db/pool";
import { leasedSql } from "./sender-lease-store.ts";

/** A delivery that is due, before its event's bytes are loaded. */
export type MeasuredDelivery = { id: number; subject: string; bytes: number };

/** A delivery to be sent now, with the event's bytes. */
export type DueDelivery = MeasuredDelivery & {
  /** Failed attempts since it was last started over. */
  attempts: number;
  /** Number of times it was started over. */
  starts: number;
  tries: number;
  eventId: string;
  type: string;
  sourceId: string;
  headers: Record<string, string>;
  body: Buffer;
};

/** Without bytes where the log has let go of the event. */
type Row = Omit<MeasuredDelivery, "bytes"> & { bytes: number | null };

const DELIVERY = "f.id, f.received_at, f.seq, f.subject, f.due_at";

/** Returns how large each is, known without loading it: octet_length reads only the header of a stored value. */
const measured = (due: string) =>
  `SELECT d.id, d.subject, d.due_at, octet_length(e.body) AS bytes FROM ${due} d LEFT JOIN events e ON e.received_at = d.received_at AND e.seq = d.seq`;

/** Returns the condition that a delivery's event has fewer bytes, where a size is given: whatever is larger is passed over without loading it. */
const smallerSql = (of: string, size: string) =>
  `(${size}::int IS NULL OR (SELECT octet_length(e.body) FROM events e WHERE e.received_at = ${of}.received_at AND e.seq = ${of}.seq) < ${size})`;

/** In the order in which they are due. */
const IN_TURN = `WITH due AS MATERIALIZED (
    SELECT ${DELIVERY} FROM forward_deliveries f
    WHERE f.destination_id = $1 AND f.state = 'pending' AND (f.due_at <= now() OR $4) AND f.id <> ALL($3::bigint[]) AND ${smallerSql("f", "$5")}
    ORDER BY f.due_at, f.id LIMIT $2)
  ${measured("due")} ORDER BY d.due_at, d.id`;

/** Number of subjects that one statement looks at. */
const MAX_HEADS = 1000;

/**
 * The oldest delivery of each subject, from subject to subject through the
 * index: a subject with a long queue costs the others nothing. Events that were
 * not handed on yet may come before those that were: nothing that follows the
 * first of them in the log is sent. Both are read in one statement, at one
 * moment: between two, an event could arrive and a later one be applied. Where
 * none of MAX_HEADS subjects is due, the last of them is told, so that those
 * after them are looked at as well.
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

/** Deliveries to find: those due at a destination and not being sent already; for a probe also those not due yet. */
export type DueRequest = {
  workspaceId: WorkspaceId;
  destinationId: string;
  limit: number;
  except: number[];
  evenIfNotDue: boolean;
  /** Only those with fewer bytes; null for all. */
  smallerThan: number | null;
};

/** Deliveries that are due, the most overdue first. */
export async function findDue({ destinationId, limit, except, evenIfNotDue, smallerThan }: DueRequest): Promise<MeasuredDelivery[]> {
  const values = [destinationId, limit, except, evenIfNotDue, smallerThan];
  const { rows } = await pool("forwarding").query<Row>({ name: "forward-due", text: IN_TURN, values });
  return withoutOrphans(rows);
}

/** Subjects after one, and up to another; null for all that come after it. */
export type Stretch = { after: string; upTo: string | null };

/** One row without a delivery where none is due. */
type HeadRow = (Row & { lookedTo: null }) | { id: null; lookedTo: string | null };

/**
 * For a destination that keeps the order of each subject: the oldest delivery of
 * each of the next thousand subjects, where it is due.
 *
 * @returns them, and the subject to go on after; null at the end of the stretch
 */
export async function findDueHeads(
  { workspaceId, destinationId, limit, except, evenIfNotDue, smallerThan }: DueRequest,
  { after, upTo }: Stretch,
): Promise<{ deliveries: MeasuredDelivery[]; last: string | null }> {
  const values = [destinationId, limit, except, after, workspaceId, evenIfNotDue, upTo, smallerThan];
  const { rows } = await pool("forwarding").query<HeadRow>({ name: "forward-due-heads", text: HEADS, values });
  const due = rows.filter((row) => row.id !== null);
  return { deliveries: await withoutOrphans(due), last: due.at(-1)?.subject ?? rows[0]?.lookedTo ?? null };
}

/** An event that retention has deleted can't be sent any more. */
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

/**
 * Loads deliveries that were measured, in the same order; without those that are not to be sent any more, and none
 * where another worker has the destination by now.
 */
export async function loadDue(deliveries: MeasuredDelivery[], sender: string): Promise<DueDelivery[]> {
  const { rows } = await pool("forwarding").query<DueDelivery>({
    name: "forward-load",
    text: `SELECT f.id, f.subject, f.attempts, f.starts, f.tries, f.event_id AS "eventId", f.type, e.source_id AS "sourceId", e.headers, e.body,
        octet_length(e.body) AS bytes
      FROM unnest($1::bigint[]) WITH ORDINALITY AS u(id, place) JOIN forward_deliveries f ON f.id = u.id
        JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq
      WHERE f.state = 'pending' AND ${leasedSql("f.destination_id", "$2")} ORDER BY u.place`,
    values: [deliveries.map(({ id }) => id), sender],
  });
  return rows;
}
