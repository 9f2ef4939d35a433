import { type FeedFrame, feedFrame } from "#lib/contracts/events/events";
import { parseExact } from "#lib/contracts/exact-json";

export type FeedStatus = "connecting" | "live" | "reconnecting";

export type Feed = { close: () => void /** The last frame's cursor, to resume from. */; cursor: () => string | null };

export type FeedOptions = {
  from: string | null;
  onFrame: (frame: FeedFrame) => void;
  onStatus: (status: FeedStatus) => void;
  /** The server responded, but not with a stream: it is starting up, or the session has ended. */
  onRejected: () => void;
};

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 20_000;
/** The server sends something every 15 s: a connection silent for this long is dead, even if the browser doesn't know. */
const SILENCE_MS = 40_000;
const EVENTS = ["ready", "appended", "applied", "delayed"] as const;

/** Opens the live feed. EventSource's own reconnection has no cursor before the first event and stops at any status but 200. */
export function openFeed({ from, onFrame, onStatus, onRejected }: FeedOptions): Feed {
  let cursor = from;
  let wait = FIRST_WAIT_MS;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function heard() {
    clearTimeout(silence);
    silence = setTimeout(lost, SILENCE_MS);
  }

  function read(event: (typeof EVENTS)[number], message: MessageEvent<string>) {
    heard();
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
    source.addEventListener("alive", heard);
    source.onerror = lost;
    heard();
  }

  function lost() {
    const rejected = source?.readyState === EventSource.CLOSED;
    source?.close();
    clearTimeout(silence);
    onStatus("reconnecting");
    if (rejected) onRejected();
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }

  onStatus("connecting");
  open();
  return {
    cursor: () => cursor,
    close: () => {
      clearTimeout(timer);
      clearTimeout(silence);
      source?.close();
    },
  };
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return null;
  }
}
