import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { FeedFrame } from "#lib/contracts/events/feed";
import { findFeedEnd, findResumePoint, isFeedCursor } from "#lib/events/feed/feed-store";
import { readFeedTogether } from "#lib/events/feed/reading";
import { readDelaySeconds } from "#lib/events/log/horizon-age";
import { systemClock } from "#lib/time/clock";
import { FeedBell } from "./feed-bell.ts";

const PAGE = 200;
/** Interval of checking the watcher's rights, should the notification of a change be lost. */
const RIGHTS_MS = 2000;

/** Yields the feed, woken by notifications. @param from last cursor seen; anything else starts at the end
 * @param mayStillWatch ends the feed when it returns false or throws */
export async function* watchFeed(
  workspaceId: WorkspaceId,
  from: string | null,
  signal: AbortSignal,
  mayStillWatch: () => Promise<boolean>,
  clock = systemClock,
): AsyncGenerator<FeedFrame> {
  let cursor = from && isFeedCursor(from) ? await findResumePoint(from) : await findFeedEnd();
  yield { event: "ready", data: { cursor } };
  const bell = new FeedBell(workspaceId, signal);
  let askedAt = clock.elapsed();
  let delay = 0;
  try {
    while (!signal.aborted) {
      bell.takeRing();
      if (bell.takeRights() || clock.elapsed() - askedAt > RIGHTS_MS) {
        askedAt = clock.elapsed();
        if (!(await mayStillWatch())) return;
      }
      const page = await readFeedTogether(workspaceId, cursor, PAGE);
      for (const { id, event } of page) {
        cursor = id;
        yield { event: "appended", id, data: event };
      }
      if (bell.takeApplied()) yield { event: "applied", data: { at: new Date(clock.now()).toISOString() } };
      const seconds = await readDelaySeconds();
      if (seconds !== delay) yield { event: "delayed", data: { seconds } };
      delay = seconds;
      if (page.length < PAGE) await bell.wait();
    }
  } finally {
    bell.close();
  }
}
