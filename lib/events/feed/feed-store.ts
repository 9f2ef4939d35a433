import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventSummary } from "#lib/contracts/events/events";
import { pool } from "#lib/db/pool";
import { EVENT_COLUMNS, EVENT_JOINS, type EventRow, summaryOf } from "#lib/events/event-rows";
import { findLogHorizon, isBeyondLog, LOG_HORIZON } from "#lib/events/log/horizon-store";

/** A place in the feed: `<position>-<sequence>`. */
export type FeedCursor = string;

const CURSOR = /^(\d{1,19})-(\d{1,18})$/;

export const isFeedCursor = (text: string): boolean => CURSOR.test(text);

/** Returns the feed's present end. Appends that are still open come after it. */
export async function findFeedEnd(): Promise<FeedCursor> {
  return `${await findLogHorizon()}-0`;
}

/** Returns the cursor, or the feed's end where the log is older than the client (a restored backup, or a standby that took over). */
export async function findResumePoint(cursor: FeedCursor): Promise<FeedCursor> {
  const [, xid = "0"] = CURSOR.exec(cursor) ?? [];
  return (await isBeyondLog(xid)) ? findFeedEnd() : cursor;
}

/** Reads by (position, sequence) below the log's horizon: reading "everything above sequence N" would skip a late commit. */
export async function readFeed(
  workspaceId: WorkspaceId,
  cursor: FeedCursor,
  limit: number,
): Promise<{ id: FeedCursor; event: EventSummary }[]> {
  const [, xid, seq] = CURSOR.exec(cursor) ?? [];
  const { rows } = await pool().query<EventRow & { xid: string }>({
    name: "feed-read",
    text: `SELECT ${EVENT_COLUMNS}, e.xid::text AS xid FROM events e ${EVENT_JOINS}
      WHERE e.workspace_id = $1 AND (e.xid, e.seq) > ($2::text::xid8, $3::bigint) AND e.xid < ${LOG_HORIZON}
      ORDER BY e.xid, e.seq LIMIT $4`,
    values: [workspaceId, xid ?? "0", seq ?? "0", limit],
  });
  return rows.map((row) => ({ id: `${row.xid}-${row.seq}`, event: summaryOf(row) }));
}
