import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { FeedFrame } from "#lib/contracts/events/feed";
import { findFeedEnd, findResumePoint, isFeedCursor } from "#lib/events/feed/feed-store";
import { readFeedTogether } from "#lib/events/feed/reading";
import { readDelaySeconds } from "#lib/events/log/horizon-age";
import { systemClock } from "#lib/time/clock";
import { FeedBell } from "./feed-bell.ts";

const PAGE = 200;
/** Interval at which it is asked whether the watcher may still watch, beside at once when rights change, should that news be lost. Milliseconds. */
const RIGHTS_MS = 2000;

/**
 * The feed as it grows: an async generator over the log, woken by
 * notifications, resumable from any cursor.
 *
 * @param from the last cursor that the client saw; anything else starts at the end
 * @param mayStillWatch asked when rights change and every few seconds; the feed ends when it answers false, or throws
 */
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
      // Before anything more is sent.
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
