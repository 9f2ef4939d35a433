import type pg from "pg";
import { inTransactionByKey, pool } from "#lib/db/pool";
import { type Filing, fileUnfiled, type Prepare, UNFILED, UNFILED_COLUMNS, type UnfiledRow } from "./index-store.ts";
import { recordSearchBegin } from "./progress-store.ts";

/** `begun`: a crash had emptied the search. */
export type Refiling = Filing & { begun: boolean; ended: boolean };

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

type Row = { last_at: string; last_seq: number; looked: number } & ((UnfiledRow & { at: string }) | { seq: null });

/** The next events before the place $1, $2, not received before $3: how far they go, and those that are not filed. */
const nextSql = (limit: number) => `WITH next AS MATERIALIZED (
    SELECT e.workspace_id, e.received_at, e.seq, e.source_id, e.event_id, e.type, octet_length(e.body) AS bytes FROM events e
    WHERE e.received_at <= $1::timestamptz AND (e.received_at, e.seq) < ($1::timestamptz, $2::bigint) AND e.received_at >= $3::timestamptz
    ORDER BY e.received_at DESC, e.seq DESC LIMIT ${limit})
  SELECT l.*, u.* FROM (SELECT received_at::text AS last_at, seq AS last_seq, count(*) OVER () AS looked
    FROM next ORDER BY next.received_at, next.seq LIMIT 1) l
  LEFT JOIN (SELECT ${UNFILED_COLUMNS}, n.received_at::text AS at FROM ${UNFILED}) u ON true
  ORDER BY u.received_at DESC, u.seq DESC`;

/** Files again, newest first, events that a crash or a failover emptied out of the search; in turns and bounds of `fileNextEvents`. */
export async function refileNextEvents(limit: number, prepare: Prepare): Promise<Refiling> {
  // Committed before anything is filed: events that fail are counted from where it began.
  const begun = await inTransactionByKey(pool("worker"), beginIfLost);
  return inTransactionByKey(pool("worker"), async (client) => {
    const place = await lockPlace(client);
    if (!place) return { filed: 0, more: false, unread: null, begun, ended: false };
    const { rows } = await client.query<Row>(nextSql(limit), [place.at, place.seq, place.downTo]);
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

async function lockPlace(client: pg.PoolClient): Promise<Place | null> {
  const { rows } = await client.query<Place>(
    `SELECT before_at::text AS at, before_seq AS seq, down_to::text AS "downTo", floor(extract(epoch FROM begun_at) * 1000)::bigint::text AS since
     FROM event_search_refiling WHERE id = 1 AND before_at IS NOT NULL FOR UPDATE SKIP LOCKED`,
  );
  return rows[0] ?? null;
}

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
