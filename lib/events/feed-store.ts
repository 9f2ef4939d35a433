import { shareFor, together } from "#lib/context/once";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { isOfType, isTypePattern } from "#lib/contracts/events/event-filters";
import type { EventSummary } from "#lib/contracts/events/events";
import { type FeedCursor, partsOf } from "#lib/contracts/events/feed-cursor";
import { pool } from "#lib/db/pool";
import { EVENT_COLUMNS, EVENT_JOINS, type EventRow, summaryOf } from "./event-store.ts";
import type { SizedEvent } from "./log/event-body-store.ts";
import { findLogHorizon, isBeyondLog, LOG_HORIZON, measureHorizonAge } from "./log/event-lookup-store.ts";

/** Returns the feed's present end. Appends that are still open come after it. */
export async function findFeedEnd(): Promise<FeedCursor> {
  return `${await findLogHorizon()}-0`;
}

/** Returns the cursor, or the feed's end where the log is older than the client (a restored backup, or a standby that took over). */
export async function findResumePoint(cursor: FeedCursor): Promise<FeedCursor> {
  const [xid] = partsOf(cursor);
  return (await isBeyondLog(xid)) ? findFeedEnd() : cursor;
}

const WITH_HORIZON = `WITH h AS MATERIALIZED (SELECT ${LOG_HORIZON} AS x)`;

export type FeedPage = { events: { id: FeedCursor; event: EventSummary }[]; cursor: FeedCursor; more: boolean };

/** Reads by (position, sequence) below the log's horizon: reading "everything above sequence N" would skip a late commit. `cursor`: behind
 * all that was read; one horizon holds for both, as another statement may see further (docs/decisions/0024). */
export async function readFeed(workspaceId: WorkspaceId, cursor: FeedCursor, limit: number): Promise<FeedPage> {
  const [xid, seq] = partsOf(cursor);
  const { rows } = await pool().query<EventRow & { horizon: string; xid: string | null }>({
    name: "feed-read",
    text: `${WITH_HORIZON}
      SELECT h.x::text AS horizon, q.* FROM h LEFT JOIN LATERAL (
        SELECT ${EVENT_COLUMNS}, e.xid::text AS xid FROM events e ${EVENT_JOINS}
        WHERE e.workspace_id = $1 AND (e.xid, e.seq) > ($2::text::xid8, $3::bigint) AND e.xid < (SELECT x FROM h)
        ORDER BY e.xid, e.seq LIMIT $4) q ON true
      ORDER BY q.xid::xid8, q.seq`,
    values: [workspaceId, xid, seq, limit],
  });
  const events = rows.flatMap((row) => (row.xid === null ? [] : [{ id: `${row.xid}-${row.seq}`, event: summaryOf(row) }]));
  const last = events.at(-1);
  const more = events.length >= limit;
  return { events, cursor: more && last ? last.id : atLeast(cursor, rows[0]?.horizon), more };
}

/** An event or a re-delivery, with the cursor behind it. */
export type ListenRow = SizedEvent & {
  cursor: FeedCursor;
  eventId: string;
  type: string;
  source: string;
  headers: Record<string, string>;
  redeliveryId: string | null;
};

type ListenFilter = { type?: string[] | undefined; source?: string | undefined };

/** Events and re-deliveries behind a cursor. One horizon holds for both: a second call could see further, and the cursor skip events. */
const BEHIND = `(
    (SELECT e.xid AS position, e.seq, e.received_at, NULL::text AS redelivery_id FROM events e
      WHERE e.workspace_id = $1 AND (e.xid, e.seq) > ($2::text::xid8, $3::bigint) AND e.xid < (SELECT x FROM h)
      ORDER BY e.xid, e.seq LIMIT $4)
    UNION ALL
    (SELECT r.position, i.seq, i.received_at, r.id FROM redeliveries r
      JOIN redelivery_items i ON i.redelivery_id = r.id
      JOIN events e ON e.received_at = i.received_at AND e.seq = i.seq
      WHERE r.workspace_id = $1 AND r.position >= $2::text::xid8 AND (r.position, i.seq) > ($2::text::xid8, $3::bigint)
        AND r.position < (SELECT x FROM h)
      ORDER BY r.position, i.seq LIMIT $4))`;

type Row = Omit<ListenRow, "cursor"> & { horizon: string; position: string | null };

/** Looks through the next `limit` events and re-deliveries. Returns the matches, and the cursor behind all that were looked through. */
export async function readListenPage(
  workspaceId: WorkspaceId,
  cursor: FeedCursor,
  filter: ListenFilter,
  limit: number,
): Promise<{ rows: ListenRow[]; cursor: FeedCursor; more: boolean }> {
  const { rows } = await pool().query<Row>(
    `${WITH_HORIZON}
     SELECT h.x::text AS horizon, q.* FROM h LEFT JOIN LATERAL (
       SELECT p.position::text AS position, p.seq, p.received_at AS "receivedAt", p.redelivery_id AS "redeliveryId", e.event_id AS "eventId", e.type, s.name AS source, e.headers,
              octet_length(e.body) AS bytes
       FROM (SELECT * FROM ${BEHIND} u ORDER BY position, seq LIMIT $4) p
       JOIN events e ON e.received_at = p.received_at AND e.seq = p.seq JOIN sources s ON s.id = e.source_id) q ON true
     ORDER BY q.position::xid8, q.seq`,
    [workspaceId, ...partsOf(cursor), limit],
  );
  const [first] = rows;
  const end = atLeast(cursor, first?.horizon);
  const found = rows.flatMap((row) => (row.position === null ? [] : [{ ...row, cursor: `${row.position}-${row.seq}` }]));
  const last = found.at(-1);
  const more = found.length >= limit;
  return {
    rows: found.filter((row) => matches(row, filter)),
    cursor: more && last ? last.cursor : end,
    more,
  };
}

/** Never goes back: the horizon may be lower for a moment (LOG_HORIZON), and a listener would get the same events again. */
function atLeast(cursor: FeedCursor, horizon = "0"): FeedCursor {
  const [position] = partsOf(cursor);
  return BigInt(horizon) > BigInt(position) ? `${horizon}-0` : cursor;
}

const matches = (row: ListenRow, { type, source }: ListenFilter): boolean =>
  (type === undefined || type.some((asked) => isOfType(asked, row.type))) && (source === undefined || source === row.source);

export async function countBehind(
  workspaceId: WorkspaceId,
  cursor: FeedCursor,
  { type, source }: ListenFilter,
  limit: number,
): Promise<{ count: number; more: boolean; cursor: FeedCursor }> {
  const beginnings = (type ?? []).filter(isTypePattern).map((pattern) => pattern.slice(0, -1));
  const { rows } = await pool().query<{ horizon: string; count: number; looked: number }>(
    `${WITH_HORIZON}
     SELECT (SELECT x FROM h)::text AS horizon, count(*)::int AS looked,
            count(*) FILTER (WHERE ($5::text[] IS NULL OR e.type = ANY ($5) OR e.type ^@ ANY ($7::text[])) AND ($6::text IS NULL OR s.name = $6))::int AS count
     FROM (SELECT * FROM ${BEHIND} u ORDER BY position, seq LIMIT $4) p
     JOIN events e ON e.received_at = p.received_at AND e.seq = p.seq JOIN sources s ON s.id = e.source_id`,
    [workspaceId, ...partsOf(cursor), limit, type ?? null, source ?? null, beginnings],
  );
  const [row] = rows;
  return { count: row?.count ?? 0, more: (row?.looked ?? 0) >= limit, cursor: atLeast(cursor, row?.horizon) };
}

/** Number of events among which the lowest position is looked for: events received together are committed together. */
const NEIGHBOURS = 1000;

/** Returns a cursor before the events received since a moment; the log's end where there are none. */
export async function findCursorSince(workspaceId: WorkspaceId, since: Date): Promise<FeedCursor> {
  const { rows } = await pool().query<{ position: string }>(
    `SELECT xid::text AS position FROM (
       SELECT xid FROM events WHERE workspace_id = $1 AND received_at >= $2 ORDER BY received_at, seq LIMIT ${NEIGHBOURS}) first
     ORDER BY xid LIMIT 1`,
    [workspaceId, since],
  );
  const [first] = rows;
  return first ? `${first.position}-0` : findFeedEnd();
}

const share = together<FeedPage>();

/** Reads the feed as `readFeed`, one answer shared by all who ask at once: a notification wakes all open feeds together. */
export const readFeedTogether = (workspaceId: WorkspaceId, cursor: FeedCursor, limit: number): Promise<FeedPage> =>
  share(`${workspaceId} ${cursor} ${limit}`, () => readFeed(workspaceId, cursor, limit));

/** Time that the feeds of a process share an answer, in milliseconds. */
const FRESH_MS = 2000;
/** A commit takes a moment: a shorter time is no delay. Milliseconds. */
const NOTICEABLE_MS = 2000;

const readAge = shareFor("horizon-age", FRESH_MS, (now) => measureHorizonAge(now).catch(() => null));

/** Returns the seconds that new events have been held back from feed and search; 0 when they are not, or when it can't be told. */
export async function readDelaySeconds(): Promise<number> {
  const age = (await readAge()) ?? 0;
  return age < NOTICEABLE_MS ? 0 : Math.round(age / 1000);
}
