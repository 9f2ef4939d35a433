import { shareFor, together } from "#lib/context/once";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type FeedCursor, readFeed } from "./feed-store.ts";
import { measureHorizonAge } from "./log/event-lookup-store.ts";

const share = together<Awaited<ReturnType<typeof readFeed>>>();

/** Reads the feed as `readFeed`, one answer shared by all who ask at once: a notification wakes all open feeds together. */
export const readFeedTogether = (workspaceId: WorkspaceId, cursor: FeedCursor, limit: number): ReturnType<typeof readFeed> =>
  share(`${workspaceId} ${cursor} ${limit}`, () => readFeed(workspaceId, cursor, limit));

/** Time that the feeds of a process share an answer, in milliseconds. */
const FRESH_MS = 2000;
/** A commit takes a moment: a shorter time is no delay. Milliseconds. */
const NOTICEABLE_MS = 2000;

const readAge = shareFor(FRESH_MS, (now) => measureHorizonAge(now).catch(() => null));

/** Returns the seconds that new events have been held back from feed and search; 0 when they are not, or when it can't be told. */
export async function readDelaySeconds(): Promise<number> {
  const age = (await readAge()) ?? 0;
  return age < NOTICEABLE_MS ? 0 : Math.round(age / 1000);
}
