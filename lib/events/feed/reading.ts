import { together } from "#lib/context/together";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type FeedCursor, readFeed } from "./feed-store.ts";

const share = together<Awaited<ReturnType<typeof readFeed>>>();

/**
 * The same as `readFeed`, but feeds that ask for the same at once share one answer: a notification wakes all open
 * feeds together, and most of them stand at the log's end.
 */
export const readFeedTogether = (workspaceId: WorkspaceId, cursor: FeedCursor, limit: number): ReturnType<typeof readFeed> =>
  share(`${workspaceId} ${cursor} ${limit}`, () => readFeed(workspaceId, cursor, limit));
