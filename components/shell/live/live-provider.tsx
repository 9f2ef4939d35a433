"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLatest } from "#components/ui/primitives/use-latest";
import { connection } from "#lib/client/connection";
import { loadFeed, oneAtATime, throttle } from "#lib/client/live-feed";
import { call } from "#lib/client/queries/api";
import { DELIVERIES_OF_EVENT, KEYS, refresh } from "#lib/client/queries/keys";
import { isPageLeft, onPageLeft, signInWhenSessionEnded } from "#lib/client/session-end";
import type { EventSummary, FeedFrame } from "#lib/contracts/events/events";
import { Store, usePart, useStore } from "./store.tsx";

export type LiveStatus = "connecting" | "live" | "reconnecting" | "paused";

type LiveState = {
  status: LiveStatus;
  /** When the status began. Milliseconds since 1970. */
  since: number;
  /** When the newest event was received: ISO 8601, or null before the first. */
  lastEventAt: string | null;
  /** Time for which new events have been held back; 0 if they are not. Seconds. */
  delaySeconds: number;
  paused: boolean;
};
type Live = LiveState & { setPaused: (paused: boolean) => void };

const LiveContext = createContext<Store<LiveState> | null>(null);

const DETAIL_MS = 500;
const SUMMARY_MS = 2000;
/** Longest time from the server's read until its page is shown. Milliseconds. */
const PAGE_MS = 10_000;
/** Queries whose results an applied event may change. The event list itself only grows by `appended`. */
const CHANGED_BY_EVENTS = [KEYS.views, KEYS.events, KEYS.event, DELIVERIES_OF_EVENT, KEYS.issues, KEYS.issue, KEYS.missingEvents];
const SUMMARIES = [KEYS.counts, KEYS.overview, KEYS.connections, KEYS.connection];

type LiveProviderProps = {
  /** Workspace and person: a browser's tabs that agree in it share their feed, and what one changes the others read again. */
  scope: string;
  lastEventAt: string | null;
  children: ReactNode;
};

/** Keeps the dashboard up to date: one feed for all pages, resumed where it was interrupted. */
export function LiveProvider({ scope, lastEventAt: initial, children }: LiveProviderProps) {
  const queries = useQueryClient();
  const [hub] = useState<Hub>(() => ({ listeners: new Set(), catchUp: () => {} }));
  const [live] = useState(
    () => new Store<LiveState>({ status: "connecting", since: 0, lastEventAt: initial, delaySeconds: 0, paused: false }),
  );
  const paused = usePart(live, (state) => state.paused);
  const cursor = useRef<string | null>(null);
  const visible = usePageVisible();
  const left = useSyncExternalStore(onPageLeft, isPageLeft, () => false);

  useEffect(() => {
    const setStatus = (status: LiveStatus) => {
      // At each failed try: a server that stops ends its feeds before its other responses.
      if (status === "reconnecting") void connection.look();
      if (live.get().status === status) return;
      live.set({ ...live.get(), status, since: Date.now(), delaySeconds: 0 });
    };
    if (paused) return setStatus("paused");
    if (!visible || left) return;
    // On a slow connection a refresh takes longer than the throttle's interval: the next one waits.
    const refreshDetails = oneAtATime(() => refresh(queries, ...CHANGED_BY_EVENTS));
    const refreshSummaries = oneAtATime(() => refresh(queries, ...SUMMARIES));
    const details = throttle(refreshDetails, DETAIL_MS);
    const summaries = throttle(() => {
      // A visible list takes the frames itself; a hidden one is fetched when it is shown again.
      void queries.invalidateQueries({ queryKey: KEYS.eventList, type: "inactive", refetchType: "none" });
      refreshSummaries();
    }, SUMMARY_MS);
    let changedAt = Number.NEGATIVE_INFINITY;
    hub.catchUp = () => {
      if (performance.now() - changedAt > PAGE_MS) return;
      details.call();
      summaries.call();
    };
    const onRejected = () => void call("GET /api/v1/session").catch(signInWhenSessionEnded);
    const onFrame = (frame: FeedFrame) => {
      if (frame.event === "delayed") return live.set({ ...live.get(), delaySeconds: frame.data.seconds });
      changedAt = performance.now();
      if (frame.event === "appended") {
        live.set({ ...live.get(), lastEventAt: frame.data.receivedAt });
        for (const listener of hub.listeners) listener(frame.data);
      } else details.call();
      summaries.call();
    };
    const feed = loadFeed({ scope, from: cursor.current, onStatus: setStatus, onRejected, onFrame });
    return () => {
      cursor.current = feed.cursor();
      feed.close();
      details.cancel();
      summaries.cancel();
      hub.catchUp = () => {};
    };
  }, [paused, visible, left, scope, queries, hub, live]);

  useEffect(() => {
    const following = import("#lib/client/other-tabs").then(({ followChanges }) => followChanges(scope, queries));
    following.catch(() => {}); // without it, the other tabs' changes come with the next look
    return () => void following.then((stop) => stop()).catch(() => {});
  }, [scope, queries]);

  return (
    <LiveContext value={live}>
      <HubContext value={hub}>{children}</HubContext>
    </LiveContext>
  );
}

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error("useLive must be used inside LiveProvider");
  return { ...useStore(live), setPaused: (paused) => live.set({ ...live.get(), paused }) };
}

export function usePaused(): boolean {
  const live = useContext(LiveContext);
  if (!live) throw new Error("usePaused must be used inside LiveProvider");
  return usePart(live, ({ paused }) => paused);
}

/** Calls `onAppended` for every event received while the page is open. */
export function useFeed(onAppended: Listener): void {
  const hub = useContext(HubContext);
  const latest = useLatest(onAppended);
  useEffect(() => {
    if (!hub) return;
    const listener: Listener = (event) => latest.current(event);
    hub.listeners.add(listener);
    return () => {
      hub.listeners.delete(listener);
    };
  }, [hub, latest]);
}

type Listener = (event: EventSummary) => void;
/** Part of the feed that pages use without being rendered again by it. */
type Hub = { listeners: Set<Listener>; catchUp: () => void };
const HubContext = createContext<Hub | null>(null);

/** Fetches a page's data again if the feed reported a change after the server read it, at `readAt` (ms): the page wasn't listening yet. */
export function CatchUp({ readAt }: { readAt: number }) {
  const hub = useContext(HubContext);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `readAt` tells one reading from the next.
  useEffect(() => hub?.catchUp(), [hub, readAt]);
  return null;
}

const HIDDEN_MS = 60_000;

/** False once the page was hidden for a minute: over HTTP/1.1 a site has six connections, and background tabs must not hold them all. */
function usePageVisible(): boolean {
  const [visible, setVisible] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function change() {
      clearTimeout(timer);
      if (document.visibilityState === "visible") setVisible(true);
      else timer = setTimeout(() => setVisible(false), HIDDEN_MS);
    }
    document.addEventListener("visibilitychange", change);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", change);
    };
  }, []);
  return visible;
}
