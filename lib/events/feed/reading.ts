import { together } from "#lib/context/together";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type FeedCursor, readFeed } from "./feed-store.ts";

const share = together<Awaited<ReturnType<typeof readFeed>>>();

/** Reads the feed as `readFeed`, one answer shared by all who ask at once: a notification wakes all open feeds together. */
export const readFeedTogether = (workspaceId: WorkspaceId, cursor: FeedCursor, limit: number): ReturnType<typeof readFeed> =>
  share(`${workspaceId} ${cursor} ${limit}`, () => readFeed(workspaceId, cursor, limit));
