import type { FeedFrame } from "#lib/contracts/events/events";
import { isObject, parseExact } from "#lib/contracts/exact-json";
import { isOwnBuild } from "./own-build.ts";

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
  let closed = false;
  let wait = FIRST_WAIT_MS;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  /** Checks the frames of a server of another build; null while they come from our own, as `ready` says. */
  let check: Check | null = null;

  function heard() {
    clearTimeout(silence);
    silence = setTimeout(lost, SILENCE_MS);
  }

  function read(event: (typeof EVENTS)[number], message: MessageEvent<string>) {
    heard();
    const told = { event, id: message.lastEventId, data: parse(message.data) };
    if (event === "ready" && check === null && !isOwnBuild(told.data?.build)) return void openChecked(told.data?.cursor);
    const frame = check === null ? (told as FeedFrame) : check(told);
    if (!frame?.data) return;
    if (frame.event === "ready") {
      cursor = frame.data.cursor;
      wait = FIRST_WAIT_MS;
      onStatus("live");
    }
    if (frame.event === "appended") cursor = frame.id;
    onFrame(frame);
  }

  /** Begins again where this server is, with the schema. */
  async function openChecked(from: unknown) {
    end();
    if (typeof from === "string") cursor ??= from;
    try {
      check = await loadCheck();
      if (!closed) open();
    } catch {
      if (!closed) again();
    }
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
    end();
    again();
    if (rejected) onRejected();
  }

  function end() {
    source?.close();
    clearTimeout(silence);
  }

  function again() {
    onStatus("reconnecting");
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }

  onStatus("connecting");
  open();
  return {
    cursor: () => cursor,
    close: () => {
      closed = true;
      clearTimeout(timer);
      end();
    },
  };
}

type Check = (frame: unknown) => FeedFrame | null;

async function loadCheck(): Promise<Check> {
  const { feedFrame } = await import("#lib/contracts/events/events");
  return (frame) => {
    const read = feedFrame.safeParse(frame);
    return read.success ? read.data : null;
  };
}

/** Returns null for what is no JSON object. */
function parse(text: string): Record<string, unknown> | null {
  try {
    const value = parseExact(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
