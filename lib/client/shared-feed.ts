import type { FeedFrame } from "#lib/contracts/events/events";
import { isBefore } from "#lib/contracts/events/feed-cursor";
import { type Feed, type FeedOptions, type FeedStatus, openFeed } from "./feed.ts";

// One feed for all tabs of a browser: over HTTP/1.1 it has six connections to a site, and six feeds leave none to load the seventh
// tab. One tab leads: it has the feed, and hands its frames on. Elected by messages, because Web Locks need https and the pages'
// policy allows no worker. Two leaders for a moment do no harm: a follower listens to one.

export type SharedFeedOptions = FeedOptions & {
  /** Tabs of one scope show the same to the same person. */
  scope: string;
};

type Message = { kind: "leads"; status: FeedStatus } | { kind: "frame"; frame: FeedFrame } | { kind: "seeks" | "rejected" | "resigns" };
/** `cursor` is the teller's, before `frame`, `began` that from which it leads: null until it has read all that there is. */
type Told = Message & { by: string; cursor: string | null; began: string | null };

/** Time for a leader to answer: later, the tab leads itself until it hears of one. Milliseconds. */
const ANSWER_MS = 50;
const SAY_EVERY_MS = 4000;
/** Those who miss a leader don't all lead at once. */
const SPREAD_MS = 300;
/** A leader that says nothing for this long is gone: its tab was closed, or is frozen. */
const SILENCE_MS = 10_000;

export function openSharedFeed({ scope, ...options }: SharedFeedOptions): Feed {
  const me = Math.random().toString(36).slice(2);
  const channel = new BroadcastChannel(`signalbox.feed.2.${scope}`);
  let cursor = options.from;
  let status: FeedStatus = "connecting";
  let isAtEnd = false;
  let began: string | null = null;
  const { show, hasShown } = showOnce(options.onFrame);
  /** This tab's own: while it leads, and until it has read all that the leader had when it came. */
  let own: Feed | null = null;
  let leader: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saying: ReturnType<typeof setInterval> | undefined;

  const leads = () => own !== null && leader === null;
  const tell = (message: Message) => channel.postMessage({ ...message, by: me, cursor: isAtEnd ? cursor : null, began } satisfies Told);
  const sayLeads = () => tell({ kind: "leads", status });
  const resign = () => (leads() ? tell({ kind: "resigns" }) : undefined);

  function setStatus(next: FeedStatus) {
    status = next;
    options.onStatus(next);
    if (leads()) sayLeads();
  }

  function take(frame: FeedFrame) {
    if (leads()) tell({ kind: "frame", frame });
    if (frame.event === "ready") {
      cursor = frame.data.cursor;
      isAtEnd ||= frame.data.resumed !== true;
      if (isAtEnd && leads()) began ??= cursor;
      // The leader's answer says how far it is: this feed may not be needed any more.
      if (leader !== null && own !== null) tell({ kind: "seeks" });
    }
    if (frame.event === "appended") cursor = frame.id;
    show(frame);
  }

  function openOwn() {
    own ??= openFeed({
      from: cursor,
      onFrame: take,
      onStatus: setStatus,
      onRejected: () => {
        if (leads()) tell({ kind: "rejected" });
        options.onRejected();
      },
    });
  }

  function seek(spread: number) {
    leader = null;
    clearTimeout(timer);
    tell({ kind: "seeks" });
    timer = setTimeout(lead, ANSWER_MS + Math.random() * spread);
  }

  function lead() {
    openOwn();
    if (isAtEnd) began ??= cursor;
    sayLeads();
    saying ??= setInterval(() => leads() && sayLeads(), SAY_EVERY_MS);
  }

  /** Follows at once where it has read all that the leader has; else this tab's own feed goes on until then. */
  function follow(told: Told) {
    resign();
    leader = told.by;
    began = null;
    clearTimeout(timer);
    timer = setTimeout(seek, SILENCE_MS, SPREAD_MS);
    if (cursor !== null && (told.cursor === null || isBefore(cursor, told.cursor))) return openOwn();
    if (own !== null) hasShown(cursor);
    own?.close();
    own = null;
    cursor = told.cursor;
    isAtEnd = cursor !== null;
    if (told.kind === "leads") setStatus(told.status);
  }

  function hear(told: Told) {
    if (told.kind === "seeks") return leads() ? sayLeads() : undefined;
    if (told.kind === "resigns") return told.by === leader ? seek(SPREAD_MS) : undefined;
    if (told.kind === "leads" && leads() && isFirst({ by: me, began }, told)) return sayLeads();
    // Who follows one hears no other: the loser of two leaders says so, and what it said before may arrive late.
    if (told.by === leader || (told.kind === "leads" && leader === null)) follow(told);
    if (told.by !== leader || own !== null) return;
    if (told.kind === "frame") take(told.frame);
    if (told.kind === "rejected") options.onRejected();
  }

  channel.onmessage = ({ data }: MessageEvent<Told>) => hear(data);
  window.addEventListener("pagehide", resign);
  options.onStatus(status);
  seek(0);
  return {
    cursor: () => cursor,
    close: () => {
      resign();
      window.removeEventListener("pagehide", resign);
      clearTimeout(timer);
      clearInterval(saying);
      own?.close();
      channel.close();
    },
  };
}

/** Passes frames on, without events up to where a feed of the tab's own had read: the leader that it then follows may be behind that. */
function showOnce(onFrame: (frame: FeedFrame) => void) {
  let shown: string | null = null;
  return {
    hasShown: (cursor: string | null) => {
      shown ??= cursor;
    },
    show: (frame: FeedFrame) => {
      if (frame.event === "appended" && shown !== null) {
        if (!isBefore(shown, frame.id)) return;
        shown = null;
      }
      onFrame(frame);
    },
  };
}

type Leader = Pick<Told, "by" | "began">;

/** Of two leaders, the one that began earlier in the log stays: the other can follow it at once, and closes its feed. */
function isFirst(one: Leader, other: Leader): boolean {
  if (one.began === other.began) return one.by < other.by;
  return one.began !== null && (other.began === null || isBefore(one.began, other.began));
}
