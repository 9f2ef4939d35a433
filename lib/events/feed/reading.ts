import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type FeedCursor, readFeed } from "./feed-store.ts";

type Page = ReturnType<typeof readFeed>;

const underWay = new Map<string, Page>();

/**
 * The same as `readFeed`, but feeds that ask for the same at once share one answer: a notification wakes all open
 * feeds together, and most of them stand at the log's end.
 */
export function readFeedTogether(workspaceId: WorkspaceId, cursor: FeedCursor, limit: number): Page {
  const key = `${workspaceId} ${cursor} ${limit}`;
  const known = underWay.get(key);
  if (known) return known;
  const page = readFeed(workspaceId, cursor, limit);
  underWay.set(key, page);
  // Not for longer: who is woken by a later event must not be given an answer from before it.
  setImmediate(() => underWay.delete(key));
  return page;
}
