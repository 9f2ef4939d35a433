import type { Feed, FeedOptions } from "./feed.ts";

/** Milliseconds. */
const LOAD_AGAIN_MS = 5000;

/**
 * Opens the feed when its code has loaded. Loading that fails is tried again:
 * the server may be restarting.
 *
 * @param load imports the code
 */
export function loadFeed(options: FeedOptions, load = () => import("./feed.ts")): Feed {
  let feed: Feed | null = null;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () =>
    load().then(
      ({ openFeed }) => {
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
