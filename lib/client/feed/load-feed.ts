import type { Feed, FeedOptions } from "./feed.ts";

const LOAD_AGAIN_MS = 5000;

/** Opens the feed once its code has loaded. A failed load is retried: the server may be restarting. */
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
