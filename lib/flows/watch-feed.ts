import type { FeedFrame } from "#lib/contracts/feed";
import type { WorkspaceId } from "#lib/contracts/ids";
import { listen } from "#lib/db/listen";
import { readFeedTogether } from "#lib/events/feed-reading";
import { findFeedEnd, isFeedCursor } from "#lib/events/feed-store";

const PAGE = 200;
/** Without a notification the log is looked at this often: a lost one costs this much time. Milliseconds. */
const IDLE_MS = 2000;
/** A commit can be hidden for a moment by an older open transaction: look again soon. Milliseconds. */
const AGAIN_MS = 150;
/** Whether the watcher may still watch is asked at once when rights change, and this often should that news be lost. Milliseconds. */
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
): AsyncGenerator<FeedFrame> {
  let cursor = from && isFeedCursor(from) ? from : await findFeedEnd();
  yield { event: "ready", data: { cursor } };
  const bell = new Bell(workspaceId, signal);
  let askedAt = Date.now();
  try {
    while (!signal.aborted) {
      bell.takeRing();
      // Before anything more is sent.
      if (bell.takeRights() || Date.now() - askedAt > RIGHTS_MS) {
        askedAt = Date.now();
        if (!(await mayStillWatch())) return;
      }
      const page = await readFeedTogether(workspaceId, cursor, PAGE);
      for (const { id, event } of page) {
        cursor = id;
        yield { event: "appended", id, data: event };
      }
      if (bell.takeApplied()) yield { event: "applied", data: { at: new Date().toISOString() } };
      if (page.length < PAGE) await bell.wait();
    }
  } finally {
    bell.close();
  }
}

/** Wakes the feed: soon after a notification, a while later without one. */
class Bell {
  private readonly unsubscribe: (() => void)[];
  private applied = false;
  private rights = false;
  private rung = false;
  private rungAt = 0;
  private wake = () => {};

  constructor(workspaceId: WorkspaceId, signal: AbortSignal) {
    const concerns = (payload: string) => payload === "" || payload === workspaceId;
    this.unsubscribe = [
      listen("appended", (payload) => concerns(payload) && this.ring()),
      listen("applied", (payload) => {
        if (!concerns(payload)) return;
        this.applied = true;
        this.wake();
      }),
      listen("rights", (payload) => {
        if (!concerns(payload)) return;
        this.rights = true;
        this.wake();
      }),
    ];
    signal.addEventListener("abort", () => this.wake(), { once: true });
  }

  private ring(): void {
    this.rung = true;
    this.rungAt = Date.now();
    this.wake();
  }

  takeRing(): void {
    this.rung = false;
  }

  takeApplied(): boolean {
    const was = this.applied;
    this.applied = false;
    return was;
  }

  takeRights(): boolean {
    const was = this.rights;
    this.rights = false;
    return was;
  }

  async wait(): Promise<void> {
    if (this.applied || this.rung || this.rights) return;
    const recent = Date.now() - this.rungAt < 2 * AGAIN_MS;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, recent ? AGAIN_MS : IDLE_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  close(): void {
    for (const stop of this.unsubscribe) stop();
  }
}
