import { BUILD } from "#lib/config/product";
import { invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { FeedFrame } from "#lib/contracts/events/events";
import { type FeedCursor, isFeedCursor } from "#lib/contracts/events/feed-cursor";
import { listen } from "#lib/db/notifications";
import { findFeedEnd, findResumePoint, readDelaySeconds, readFeedTogether } from "#lib/events/feed-store";
import { systemClock } from "#lib/time/clock";

const PAGE = 200;
/** Interval of checking the watcher's rights, should the notification of a change be lost. */
const RIGHTS_MS = 2000;

/** @throws AppError `invalid_request` for what is no cursor: beginning elsewhere would lose events silently */
export function readFeedCursor(from: string): FeedCursor {
  if (!isFeedCursor(from)) throw invalidField("from", "is not a cursor of the feed.");
  return from;
}

/** Yields the feed, woken by notifications. One that resumes says `ready` again once it has yielded all that there was. @param from last cursor seen; null starts at the end
 * @param mayStillWatch ends the feed when it returns false or throws */
export async function* watchFeed(
  workspaceId: WorkspaceId,
  from: FeedCursor | null,
  signal: AbortSignal,
  mayStillWatch: () => Promise<boolean>,
): AsyncGenerator<FeedFrame> {
  let resumed = from !== null;
  let cursor = from !== null ? await findResumePoint(from) : await findFeedEnd();
  const ready = (): FeedFrame => ({ event: "ready", data: { cursor, ...(BUILD !== "" && { build: BUILD }), ...(resumed && { resumed }) } });
  yield ready();
  const bell = new FeedBell(workspaceId, signal);
  let askedAt = systemClock.elapsed();
  let delay = 0;
  try {
    while (!signal.aborted) {
      bell.takeRing();
      if (bell.takeRights() || systemClock.elapsed() - askedAt > RIGHTS_MS) {
        askedAt = systemClock.elapsed();
        if (!(await mayStillWatch())) return;
      }
      const page = await readFeedTogether(workspaceId, cursor, PAGE);
      for (const { id, event } of page.events) {
        cursor = id;
        yield { event: "appended", id, data: event };
      }
      if (resumed && !page.more) {
        resumed = false;
        cursor = page.cursor;
        yield ready();
      }
      if (bell.takeApplied()) yield { event: "applied", data: { at: new Date(systemClock.now()).toISOString() } };
      const seconds = await readDelaySeconds();
      if (seconds !== delay) yield { event: "delayed", data: { seconds } };
      delay = seconds;
      if (!page.more) await bell.wait();
    }
  } finally {
    bell.close();
  }
}

/** Interval of reading without a notification: a lost one delays the feed by this much. */
const IDLE_MS = 2000;
/** A commit can be hidden for a moment by an older open transaction: look again soon. */
const AGAIN_MS = 150;

/** Counts the notifications of a workspace for all feeds of this process: one set of listeners, one timer. */
class WorkspaceNews {
  appended = 0;
  applied = 0;
  rights = 0;
  feeds = 0;
  private rungAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private readonly waiting = new Set<() => void>();
  private readonly unsubscribe: (() => void)[];

  constructor(workspaceId: WorkspaceId) {
    const on = (channel: "appended" | "applied" | "rights") =>
      listen(channel, (payload) => {
        if (payload !== "" && payload !== workspaceId) return;
        this[channel] += 1;
        if (channel === "appended") this.rungAt = performance.now();
        this.wakeAll();
      });
    this.unsubscribe = [on("appended"), on("applied"), on("rights")];
  }

  /** Wakes all that wait together, so that they share what they read. */
  wait(wake: () => void): void {
    this.waiting.add(wake);
    this.timer ??= setTimeout(() => this.wakeAll(), performance.now() - this.rungAt < 2 * AGAIN_MS ? AGAIN_MS : IDLE_MS);
  }

  forget(wake: () => void): void {
    this.waiting.delete(wake);
  }

  private wakeAll(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const wake of woken) wake();
  }

  close(): void {
    clearTimeout(this.timer);
    for (const stop of this.unsubscribe) stop();
  }
}

const watched = new Map<WorkspaceId, WorkspaceNews>();

export class FeedBell {
  private readonly workspaceId: WorkspaceId;
  private readonly signal: AbortSignal;
  private readonly news: WorkspaceNews;
  private readonly known: Record<"appended" | "applied" | "rights", number>;
  private resume = () => {};
  private readonly wake = () => {
    this.news.forget(this.wake);
    this.resume();
  };

  constructor(workspaceId: WorkspaceId, signal: AbortSignal) {
    this.workspaceId = workspaceId;
    this.signal = signal;
    this.news = watched.get(workspaceId) ?? new WorkspaceNews(workspaceId);
    watched.set(workspaceId, this.news);
    this.news.feeds += 1;
    const { appended, applied, rights } = this.news;
    this.known = { appended, applied, rights };
    signal.addEventListener("abort", this.wake, { once: true });
  }

  private take(what: keyof FeedBell["known"]): boolean {
    const isNew = this.news[what] !== this.known[what];
    this.known[what] = this.news[what];
    return isNew;
  }

  takeRing(): void {
    this.take("appended");
  }

  takeApplied(): boolean {
    return this.take("applied");
  }

  takeRights(): boolean {
    return this.take("rights");
  }

  async wait(): Promise<void> {
    const { news, known, signal } = this;
    if (signal.aborted || news.appended !== known.appended || news.applied !== known.applied || news.rights !== known.rights) return;
    await new Promise<void>((resolve) => {
      this.resume = resolve;
      news.wait(this.wake);
    });
  }

  close(): void {
    this.signal.removeEventListener("abort", this.wake);
    this.news.feeds -= 1;
    if (this.news.feeds > 0) return;
    this.news.close();
    watched.delete(this.workspaceId);
  }
}
