import type { EventSummary } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";
import { EVENT_COLUMNS, EVENT_JOINS, type EventRow, summaryOf } from "./event-rows.ts";

/** A place in the feed: `<transaction>-<sequence>`. */
export type FeedCursor = string;

const CURSOR = /^(\d{1,19})-(\d{1,18})$/;

/** True for a cursor of ours. */
export const isFeedCursor = (text: string): boolean => CURSOR.test(text);

/** The feed's present end. Transactions still open come after it. */
export async function findFeedEnd(): Promise<FeedCursor> {
  const { rows } = await pool().query<{ xmin: string }>("SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin");
  return `${rows[0]?.xmin ?? "0"}-0`;
}

/**
 * What was appended after the cursor, in the feed's order, at most `limit`.
 *
 * Sequence numbers are handed out before commit, so "everything above N" would
 * skip a late commit. Rows are ordered by (transaction, sequence) and only
 * those of transactions older than every running one are read: nothing can
 * appear behind the cursor any more.
 */
export async function readFeed(
  workspaceId: WorkspaceId,
  cursor: FeedCursor,
  limit: number,
): Promise<{ id: FeedCursor; event: EventSummary }[]> {
  const [, xid, seq] = CURSOR.exec(cursor) ?? [];
  const { rows } = await pool().query<EventRow & { xid: string }>({
    name: "feed-read",
    text: `SELECT ${EVENT_COLUMNS}, e.xid::text AS xid FROM events e ${EVENT_JOINS}
      WHERE e.workspace_id = $1 AND (e.xid, e.seq) > ($2::text::xid8, $3::bigint) AND e.xid < pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY e.xid, e.seq LIMIT $4`,
    values: [workspaceId, xid ?? "0", seq ?? "0", limit],
  });
  return rows.map((row) => ({ id: `${row.xid}-${row.seq}`, event: summaryOf(row) }));
}
