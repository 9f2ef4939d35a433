import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { arraysOf } from "#lib/db/columns";
import { inTransactionByKey, pool } from "#lib/db/pool";
import { queryRow } from "#lib/db/rows";
import { joined, splitSql } from "#lib/db/sql";
import { LOG_HORIZON } from "#lib/events/log/event-lookup-store";

export type FiledEvent = { workspaceId: WorkspaceId; receivedAt: Date; seq: number; terms: string[] };

export type UnfiledEvent = Omit<FiledEvent, "terms"> & { sourceId: string; eventId: string; type: string; bytes: number };

type TermsOf = (event: UnfiledEvent, body: Buffer | null) => string[];

export type Prepare = (client: pg.PoolClient, sourceIds: string[]) => Promise<TermsOf>;

const UNFILED_COLUMNS = `n.workspace_id AS "workspaceId", n.received_at AS "receivedAt", n.seq, n.source_id AS "sourceId", n.event_id AS "eventId", n.type, n.bytes`;

/** Leaves the events of `next n` that are not filed. OFFSET 0 makes the planner look each up instead of reading all that is filed. */
const UNFILED = `next n LEFT JOIN LATERAL (
    SELECT true AS filed FROM event_search f WHERE f.workspace_id = n.workspace_id AND f.received_at = n.received_at AND f.seq = n.seq
    OFFSET 0) f ON true WHERE f.filed IS NULL`;

type Row = { last_xid: string; last_seq: number; looked: number } & (
  | (UnfiledEvent & { xid: string })
  | { seq: null } // when everything is filed
);

/** The next $3 events of all workspaces after the place $1, $2 and before $4, $5: how far they go, and those that are not filed. */
const NEXT = `WITH next AS MATERIALIZED (
    SELECT e.* FROM log_places w CROSS JOIN LATERAL (
      SELECT e.workspace_id, e.received_at, e.seq, e.source_id, e.event_id, e.type, octet_length(e.body) AS bytes, e.xid FROM events e
      WHERE e.workspace_id = w.workspace_id AND (e.xid, e.seq) > ($1::text::xid8, $2::bigint) AND e.xid < ${LOG_HORIZON}
        AND (e.xid, e.seq) < ($4::text::xid8, $5::bigint)
      ORDER BY e.xid, e.seq LIMIT $3) e
    ORDER BY e.xid, e.seq LIMIT $3)
  SELECT l.*, u.* FROM (SELECT xid::text AS last_xid, seq AS last_seq, count(*) OVER () AS looked FROM next ORDER BY next.xid DESC, seq DESC LIMIT 1) l
  LEFT JOIN (SELECT ${UNFILED_COLUMNS}, n.xid FROM ${UNFILED}) u ON true
  ORDER BY u.xid, u.seq`;

const BODIES = `SELECT e.seq, e.body FROM unnest($1::timestamptz[], $2::bigint[]) AS u(received_at, seq) JOIN events e USING (received_at, seq)`;

/** New terms are sorted into the index 16 MB (15,000 events) at a time: with 4 MB an event costs 0.6 kB more WAL. */
const GATHERING = "SELECT set_config('work_mem', '64MB', true), set_config('gin_pending_list_limit', '16MB', true)";

/** Bytes of bodies in a batch: their terms are made in one go, in some 0.1 ms a KB, and nothing else of the process runs meanwhile. */
const MAX_BYTES = 4 * 1_048_576;

/** After this number of failed tries an event is filed without its payload. */
const MAX_TRIES = 4;

/** `more`: others may wait. `unread`: ID of an event that could not be read. */
export type Filing = { filed: number; more: boolean; unread: string | null };

const NOTHING: Filing = { filed: 0, more: false, unread: null };

/** Files the next events and moves the place in one transaction, one process at a time. After a failure events go one at a time. */
export function fileNextEvents(
  limit: number,
  findEnd: ((client: pg.PoolClient) => Promise<SearchPlace | null>) | null,
  prepare: Prepare,
): Promise<Filing> {
  return inTransactionByKey(async (client) => {
    const place = await lockSearchPlace(client);
    if (!place) return NOTHING;
    const end = (await findEnd?.(client)) ?? END_OF_LOG;
    // Planned each time: a plan that was made while a crash had emptied the table would read all of it for each event.
    const { rows } = await client.query<Row>(NEXT, [place.xid, place.seq, limit, end.xid, end.seq]);
    const [first] = rows;
    if (!first) return NOTHING;
    const unfiled = rows.flatMap((row) => (row.seq === null ? [] : [row]));
    const { batch, unread } = await fileUnfiled(client, unfiled, () => recordSearchBegin("begun", place, limit), prepare);
    const last = batch.length < unfiled.length ? batch.at(-1) : undefined;
    await moveSearchPlace(client, last ?? { xid: first.last_xid, seq: first.last_seq });
    return { filed: batch.length, more: last !== undefined || first.looked === limit, unread };
  });
}

/** Files the first events that 4 MB of bodies hold, one where filing failed before. `begin` records that it begins. */
async function fileUnfiled<R extends UnfiledEvent>(
  client: pg.PoolClient,
  unfiled: R[],
  begin: () => Promise<SearchBegin>,
  prepare: Prepare,
): Promise<{ batch: R[]; unread: string | null }> {
  if (unfiled.length === 0) return { batch: [], unread: null };
  const { tries, alone } = await begin();
  const batch = alone ? unfiled.slice(0, 1) : firstWithinBytes(unfiled);
  const readable = !alone || tries <= MAX_TRIES;
  await fileEvents(client, await readTerms(client, batch, readable, prepare));
  return { batch, unread: readable ? null : (batch[0]?.eventId ?? null) };
}

const END_OF_LOG = { xid: "18446744073709551615", seq: 0 };

function firstWithinBytes<R extends UnfiledEvent>(rows: R[]): R[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += row.bytes;
    return bytes > MAX_BYTES && index > 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** An event that has left the log meanwhile is not filed. */
async function readTerms(client: pg.PoolClient, events: UnfiledEvent[], readable: boolean, prepare: Prepare): Promise<FiledEvent[]> {
  const termsOf = await prepare(client, [...new Set(events.map(({ sourceId }) => sourceId))]);
  if (!readable) return events.map((event) => ({ ...event, terms: termsOf(event, null) }));
  const { rows } = await client.query<{ seq: number; body: Buffer }>({
    name: "search-bodies",
    text: BODIES,
    values: arraysOf(events, "receivedAt", "seq"),
  });
  const bodies = new Map(rows.map(({ seq, body }) => [seq, body]));
  return events.flatMap((event) => {
    const body = bodies.get(event.seq);
    return body ? [{ ...event, terms: termsOf(event, body) }] : [];
  });
}

const onOneLine = (term: string) => (term.includes("\n") ? term.replaceAll("\n", " ") : term);

/** Files events in the transaction in hand; filed ones stay. All in one order, so that two processes can't deadlock. */
export async function fileEvents(client: pg.PoolClient, events: FiledEvent[]): Promise<void> {
  const inOrder = events.toSorted((a, b) => a.seq - b.seq);
  await client.query(GATHERING);
  await client.query({
    name: "search-file",
    text: `INSERT INTO event_search (workspace_id, received_at, seq, terms)
      SELECT w, r, s, array_to_tsvector(string_to_array(t, E'\\n'))
      FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], ${splitSql("$4")}) AS u(w, r, s, t)
      ON CONFLICT DO NOTHING`,
    values: [...arraysOf(inOrder, "workspaceId", "receivedAt", "seq"), joined(inOrder.map(({ terms }) => terms.map(onOneLine).join("\n")))],
  });
}

/** `begun`: a crash had emptied the search. */
type Refiling = Filing & { begun: boolean; ended: boolean };

/** SQL: true while the search holds what was filed. A crash empties the unlogged marker together with the months. */
export const MARKED = "EXISTS (SELECT 1 FROM event_search_marker m WHERE m.mark = r.mark)";

const NEWEST = `before_at = 'infinity', before_seq = ${Number.MAX_SAFE_INTEGER}, begun_at = now()`;

/** The first moment of the oldest month without a write-ahead log, as `l`; null where each has one. */
const LOWEST = `(SELECT min(CASE WHEN c.relname ~ '_[0-9]{4}_[0-9]{2}$'
    THEN make_timestamptz(substr(right(c.relname, 7), 1, 4)::int, right(c.relname, 2)::int, 1, 0, 0, 0, 'UTC') ELSE '-infinity' END) AS at
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'event_search'::regclass AND c.relpersistence = 'u') l`;

/** SQL: time down to which a loss reaches, that of an unfinished re-filing included. */
const LOST_DOWN_TO = "CASE WHEN r.before_at IS NULL THEN coalesce(l.at, 'infinity') ELSE least(r.down_to, l.at) END";

/** SQL: time down to which the search `r` is filed again, or will be where the marker is gone. */
export const DOWN_TO = `CASE WHEN ${MARKED} THEN r.down_to ELSE (SELECT ${LOST_DOWN_TO} FROM ${LOWEST}) END`;

/** `since`: milliseconds since 1970 when it was begun. */
type Place = { at: string; seq: number; downTo: string; since: string };

type RefilingRow = { last_at: string; last_seq: number; looked: number } & ((UnfiledEvent & { at: string }) | { seq: null });

/** The next events before the place $1, $2, not received before $3: how far they go, and those that are not filed. */
const nextSql = (limit: number) => `WITH next AS MATERIALIZED (
    SELECT e.workspace_id, e.received_at, e.seq, e.source_id, e.event_id, e.type, octet_length(e.body) AS bytes FROM events e
    WHERE e.received_at <= $1::timestamptz AND (e.received_at, e.seq) < ($1::timestamptz, $2::bigint) AND e.received_at >= $3::timestamptz
    ORDER BY e.received_at DESC, e.seq DESC LIMIT ${limit})
  SELECT l.*, u.* FROM (SELECT received_at::text AS last_at, seq AS last_seq, count(*) OVER () AS looked
    FROM next ORDER BY next.received_at, next.seq LIMIT 1) l
  LEFT JOIN (SELECT ${UNFILED_COLUMNS}, n.received_at::text AS at FROM ${UNFILED}) u ON true
  ORDER BY u."receivedAt" DESC, u.seq DESC`;

/** Files again, newest first, events that a crash or a failover emptied out of the search; in turns and bounds of `fileNextEvents`. */
export async function refileNextEvents(limit: number, prepare: Prepare): Promise<Refiling> {
  // Committed before anything is filed: events that fail are counted from where it began.
  const begun = await inTransactionByKey(beginIfLost);
  return inTransactionByKey(async (client) => {
    const place = await lockPlace(client);
    if (!place) return { filed: 0, more: false, unread: null, begun, ended: false };
    const { rows } = await client.query<RefilingRow>(nextSql(limit), [place.at, place.seq, place.downTo]);
    const unfiled = rows.flatMap((row) => (row.seq === null ? [] : [row]));
    // Another re-filing that begins at the same place is no further try.
    const begin = () => recordSearchBegin("refiling", { xid: place.since, seq: place.seq }, limit);
    const { batch, unread } = await fileUnfiled(client, unfiled, begin, prepare);
    const last = batch.length < unfiled.length ? batch.at(-1) : undefined;
    const ended = last === undefined && (rows[0]?.looked ?? 0) < limit;
    const next = last ?? { at: rows[0]?.last_at ?? place.at, seq: rows[0]?.last_seq ?? place.seq };
    await client.query(
      `UPDATE event_search_refiling SET before_at = $1::timestamptz, before_seq = $2::bigint,
         ended_at = CASE WHEN $1::timestamptz IS NULL THEN clock_timestamp() END WHERE id = 1`,
      [ended ? null : next.at, next.seq],
    );
    return { filed: batch.length, more: !ended, unread, begun, ended };
  });
}

/** Has the whole log filed again, in the transaction that has left the search empty. */
export async function refileAll(client: pg.ClientBase): Promise<void> {
  await client.query(`UPDATE event_search_refiling SET ${NEWEST}, down_to = '-infinity' WHERE id = 1`);
}

const lockPlace = (client: pg.PoolClient): Promise<Place | null> =>
  queryRow<Place>(
    client,
    `SELECT before_at::text AS at, before_seq AS seq, down_to::text AS "downTo", floor(extract(epoch FROM begun_at) * 1000)::bigint::text AS since
     FROM event_search_refiling WHERE id = 1 AND before_at IS NOT NULL FOR UPDATE SKIP LOCKED`,
  );

/** Begins where the marker is gone: from the newest event to the oldest lost month, or as far as an earlier one that has not ended. */
async function beginIfLost(client: pg.PoolClient): Promise<boolean> {
  const lost = `SELECT 1 FROM event_search_refiling r WHERE r.id = 1 AND NOT ${MARKED}`;
  const locked = await client.query(`${lost} FOR UPDATE OF r SKIP LOCKED`);
  // Asked again once it is locked: another process may have begun a moment ago.
  if (!locked.rowCount || (await client.query(lost)).rowCount === 0) return false;
  await client.query("DELETE FROM event_search_marker");
  await client.query(
    `WITH begun AS (
       UPDATE event_search_refiling r SET mark = gen_random_uuid(), ${NEWEST},
         down_to = ${LOST_DOWN_TO}
       FROM ${LOWEST} WHERE r.id = 1 RETURNING r.mark)
     INSERT INTO event_search_marker (mark) SELECT mark FROM begun`,
  );
  return true;
}

type SearchPlace = { xid: string; seq: number };

/** Locks the place until the transaction ends. Returns null when another process has it, or nothing waits behind it. */
async function lockSearchPlace(client: pg.PoolClient): Promise<SearchPlace | null> {
  const { rows } = await client.query<SearchPlace & { waits: boolean }>(
    `SELECT p.xid::text AS xid, p.seq, EXISTS (SELECT 1 FROM log_places w CROSS JOIN LATERAL (SELECT 1 FROM events e
       WHERE e.workspace_id = w.workspace_id AND (e.xid, e.seq) > (p.xid, p.seq) AND e.xid < ${LOG_HORIZON}
       ORDER BY e.xid, e.seq LIMIT 1) e) AS waits
     FROM event_search_progress p WHERE p.id = 'events' FOR UPDATE SKIP LOCKED`,
  );
  return rows[0]?.waits ? rows[0] : null;
}

async function moveSearchPlace(client: pg.PoolClient, { xid, seq }: SearchPlace): Promise<void> {
  await client.query("UPDATE event_search_progress SET xid = $1::text::xid8, seq = $2, read_at = now() WHERE id = 'events'", [xid, seq]);
}

type SearchBegin = { tries: number; alone: boolean };

/** Records on a connection of its own that filing begins, to outlive the process: after a try that never ended, events go one at a time. */
async function recordSearchBegin(what: "begun" | "refiling", { xid, seq }: SearchPlace, batch: number): Promise<SearchBegin> {
  const { rows } = await pool("claims").query<SearchBegin>({
    name: "search-begin",
    text: `UPDATE event_search_progress SET xid = $1::text::xid8, seq = $2, read_at = now(),
        tries = CASE WHEN (xid, seq) = ($1::text::xid8, $2::bigint) THEN tries + 1 ELSE 1 END,
        alone_left = CASE WHEN (xid, seq) = ($1::text::xid8, $2::bigint) AND tries > 0 THEN $3 ELSE greatest(alone_left - 1, 0) END
      WHERE id = $4 RETURNING tries, alone_left > 0 AS alone`,
    values: [xid, seq, batch, what],
  });
  return rows[0] ?? { tries: 1, alone: false };
}
