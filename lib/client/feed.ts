import { type FeedFrame, feedFrame } from "#lib/contracts/feed";

export type FeedStatus = "connecting" | "live" | "reconnecting";

export type Feed = { close: () => void /** The last frame's cursor: where to go on. */; cursor: () => string | null };

type FeedOptions = {
  /** A cursor to go on from; without one the feed starts now. */
  from: string | null;
  onFrame: (frame: FeedFrame) => void;
  onStatus: (status: FeedStatus) => void;
  /** The server answered, but not with a stream: it starts up, or the session has ended. */
  onRefused: () => void;
};

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 20_000;
const EVENTS = ["ready", "appended", "applied"] as const;

/**
 * The live feed over an EventSource, tried again with growing waits from the
 * last cursor. Its own reconnection is not used: it knows no cursor before the
 * first event, and it gives up at any status but 200.
 */
export function openFeed({ from, onFrame, onStatus, onRefused }: FeedOptions): Feed {
  let cursor = from;
  let wait = FIRST_WAIT_MS;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function read(event: (typeof EVENTS)[number], message: MessageEvent<string>) {
    const frame = feedFrame.safeParse({ event, id: message.lastEventId, data: parse(message.data) });
    if (!frame.success) return;
    if (frame.data.event === "ready") {
      cursor ??= frame.data.data.cursor;
      wait = FIRST_WAIT_MS;
      onStatus("live");
    }
    if (frame.data.event === "appended") cursor = frame.data.id;
    onFrame(frame.data);
  }

  function open() {
    source = new EventSource(cursor === null ? "/api/v1/feed" : `/api/v1/feed?from=${encodeURIComponent(cursor)}`);
    for (const event of EVENTS) source.addEventListener(event, (message: MessageEvent<string>) => read(event, message));
    source.onerror = () => {
      const refused = source?.readyState === EventSource.CLOSED;
      source?.close();
      onStatus("reconnecting");
      if (refused) onRefused();
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    };
  }

  onStatus("connecting");
  open();
  return {
    cursor: () => cursor,
    close: () => {
      clearTimeout(timer);
      source?.close();
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
