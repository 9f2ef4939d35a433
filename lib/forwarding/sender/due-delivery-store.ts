import { pool } from "#lib/db/pool";
import { bodiesWithinBytes } from "#lib/db/within-bytes";

/** A delivery to be sent now, with the event's bytes. */
export type DueDelivery = {
  id: number;
  subject: string;
  /** Failed attempts since it was last started over. */
  attempts: number;
  tries: number;
  eventId: string;
  type: string;
  sourceId: string;
  headers: Record<string, string>;
  body: Buffer;
};

type Row = Omit<DueDelivery, "sourceId"> & { sourceId: string | null };

const DELIVERY = "f.id, f.received_at, f.seq, f.subject, f.attempts, f.tries, f.event_id, f.type, f.due_at";

const withEvents = (due: string) =>
  `SELECT d.id, d.subject, d.attempts, d.tries, d.event_id AS "eventId", d.type, d.due_at, e.source_id AS "sourceId", e.headers, e.body
   FROM ${due} d LEFT JOIN events e ON e.received_at = d.received_at AND e.seq = d.seq`;

/** In the order in which they are due. */
const IN_TURN = `WITH due AS MATERIALIZED (
    SELECT ${DELIVERY} FROM forward_deliveries f
    WHERE f.destination_id = $1 AND f.state = 'pending' AND (f.due_at <= now() OR $4) AND f.id <> ALL($3::bigint[])
    ORDER BY f.due_at, f.id LIMIT $2)
  ${bodiesWithinBytes(withEvents("due"), "due_at, id")}`;

/** So many subjects are looked at by one statement. */
const MOST_HEADS = 1000;

/**
 * The oldest delivery of each subject, from subject to subject through the
 * index: a subject with a long queue costs the others nothing. Events that
 * stand in the inbox still may come before those that have left it: nothing
 * received after them is sent. Where none of MOST_HEADS subjects is due, the
 * last of them is told, so that those after them are looked at as well.
 */
const HEADS = `WITH RECURSIVE head AS (
    (SELECT ${DELIVERY}, 1 AS n FROM forward_deliveries f
      WHERE f.destination_id = $1 AND f.state = 'pending' AND f.subject > $4 ORDER BY f.subject, f.received_at, f.seq LIMIT 1)
    UNION ALL
    SELECT next.* FROM head h CROSS JOIN LATERAL (
      SELECT ${DELIVERY}, h.n + 1 FROM forward_deliveries f
      WHERE f.destination_id = $1 AND f.state = 'pending' AND f.subject > h.subject ORDER BY f.subject, f.received_at, f.seq LIMIT 1) next
    WHERE h.n < ${MOST_HEADS} AND ($7::text IS NULL OR h.subject < $7)),
  due AS MATERIALIZED (
    SELECT * FROM head WHERE (due_at <= now() OR $6) AND id <> ALL($3::bigint[]) AND ($5::timestamptz IS NULL OR received_at < $5) LIMIT $2)
  SELECT looked."lookedTo", b.*
  FROM (SELECT CASE WHEN NOT EXISTS (SELECT FROM due) THEN (SELECT max(subject) FROM head HAVING count(*) = ${MOST_HEADS}) END AS "lookedTo") looked
    LEFT JOIN (${bodiesWithinBytes(withEvents("due"), "subject, id")}) b ON true
  ORDER BY b.subject, b.id`;

/** What is due at a destination and is not being sent already; for a probe also what is not due yet. */
export type DueRequest = { destinationId: string; limit: number; except: number[]; evenIfNotDue: boolean };

/** Deliveries that are due, the most overdue first: at most 16 MB of bodies, one at least. */
export async function findDue({ destinationId, limit, except, evenIfNotDue }: DueRequest): Promise<DueDelivery[]> {
  const values = [destinationId, limit, except, evenIfNotDue];
  const { rows } = await pool("forwarding").query<Row>({ name: "forward-due", text: IN_TURN, values });
  return withoutOrphans(rows);
}

/** Subjects after one, and up to another; null for all that come after it. */
export type Stretch = { after: string; upTo: string | null };

/** One row without a delivery where none is due. */
type HeadRow = (Row & { lookedTo: null }) | { id: null; lookedTo: string | null };

/**
 * For a destination that keeps the order of each subject: the oldest delivery of
 * each of the next thousand subjects, where it is due. At most 16 MB of bodies, one at least.
 *
 * @param before when the oldest event was received that is not applied yet; null when there is none
 * @returns them, and the subject to go on after; null at the end of the stretch
 */
export async function findDueHeads(
  { destinationId, limit, except, evenIfNotDue }: DueRequest,
  { after, upTo }: Stretch,
  before: Date | null,
): Promise<{ deliveries: DueDelivery[]; last: string | null }> {
  const values = [destinationId, limit, except, after, before, evenIfNotDue, upTo];
  const { rows } = await pool("forwarding").query<HeadRow>({ name: "forward-due-heads", text: HEADS, values });
  const due = rows.filter((row) => row.id !== null);
  return { deliveries: await withoutOrphans(due), last: due.at(-1)?.subject ?? rows[0]?.lookedTo ?? null };
}

/** An event that retention has deleted can't be sent any more. */
async function withoutOrphans(rows: Row[]): Promise<DueDelivery[]> {
  const orphans = rows.filter(({ sourceId }) => sourceId === null).map(({ id }) => id);
  if (orphans.length > 0)
    await pool("forwarding").query(
      `UPDATE forward_deliveries SET state = 'cancelled', finished_at = now(), last_code = 'event_deleted', last_text = 'The event was deleted by retention'
       WHERE id = ANY($1::bigint[]) AND state = 'pending'`,
      [orphans],
    );
  return rows.flatMap(({ sourceId, ...row }) => (sourceId === null ? [] : [{ ...row, sourceId }]));
}
