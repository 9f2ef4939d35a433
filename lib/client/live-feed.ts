import type { Feed } from "./feed.ts";
import type { SharedFeedOptions } from "./shared-feed.ts";

const LOAD_AGAIN_MS = 5000;

/** Opens the feed once its code has loaded. A failed load is retried: the server may be restarting. */
export function loadFeed(
  options: SharedFeedOptions,
  load = () => import("./shared-feed.ts").then(({ openSharedFeed }) => openSharedFeed),
): Feed {
  let feed: Feed | null = null;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () =>
    load().then(
      (openFeed) => {
        if (!closed) feed = openFeed(options);
      },
      () => {
        if (closed) return;
        options.onStatus("reconnecting");
        timer = setTimeout(open, LOAD_AGAIN_MS);
      },
    );
  void open();
  return {
    cursor: () => feed?.cursor() ?? options.from,
    close: () => {
      closed = true;
      clearTimeout(timer);
      feed?.close();
    },
  };
}

/** Returns a function that runs at once, then at most every `ms`; the last call of a burst is never lost. `cancel` drops a waiting one. */
export function throttle(run: () => void, ms: number): { call: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  function call() {
    if (timer !== undefined) {
      again = true;
      return;
    }
    run();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) {
        again = false;
        call();
      }
    }, ms);
  }
  return { call, cancel: () => clearTimeout(timer) };
}

/** Returns a function that never runs twice at once. Calls during a run cause one more: the run may have read its data before. */
export function oneAtATime(run: () => Promise<unknown>): () => void {
  let running = false;
  let again = false;
  async function call() {
    again = running;
    if (running) return;
    running = true;
    try {
      do {
        again = false;
        await run();
      } while (again);
    } finally {
      running = false;
    }
  }
  return () => void call();
}
