"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Store, usePart, useStore } from "#components/shell/store";
import { useWatched } from "#components/shell/use-watched";
import type { Feed } from "#lib/client/feed";
import { fetchLater } from "#lib/client/fetch-later";
import { leaveWhenSignedOut } from "#lib/client/sign-in-again";
import { throttle } from "#lib/client/throttle";
import type { EventSummary } from "#lib/contracts/events";
import type { FeedFrame } from "#lib/contracts/feed";

export type LiveStatus = "connecting" | "live" | "reconnecting" | "paused";
type Listener = (event: EventSummary) => void;

type LiveState = {
  status: LiveStatus;
  /** When the status began, in milliseconds. */
  since: number;
  /** When the newest event came in: ISO 8601, or null before the first. */
  lastEventAt: string | null;
  paused: boolean;
};
type Live = LiveState & { setPaused: (paused: boolean) => void };

const sessionInfo = () => import("#lib/contracts/settings").then((module) => module.sessionInfo);

const LiveContext = createContext<Store<LiveState> | null>(null);
const ListenersContext = createContext<Set<Listener> | null>(null);

const DETAIL_MS = 500;
const SUMMARY_MS = 2000;
/** What an applied event may have changed. The events list itself only grows by `appended`. */
const CHANGED_BY_EVENTS = [["views"], ["events"], ["event"], ["issues"], ["issue"], ["findings"]];
const SUMMARIES = [["counts"], ["overview"], ["connections"], ["connection"]];

/** Keeps the pages of the dashboard live: one feed for all of them, resumed where it broke off. */
export function LiveProvider({ lastEventAt: initial, children }: { lastEventAt: string | null; children: ReactNode }) {
  const queries = useQueryClient();
  const [listeners] = useState(() => new Set<Listener>());
  const [live] = useState(() => new Store<LiveState>({ status: "connecting", since: 0, lastEventAt: initial, paused: false }));
  const paused = usePart(live, (state) => state.paused);
  const cursor = useRef<string | null>(null);
  const watched = useWatched();

  useEffect(() => {
    const setStatus = (status: LiveStatus) => {
      if (live.get().status !== status) live.set({ ...live.get(), status, since: Date.now() });
    };
    if (paused) return setStatus("paused");
    if (!watched) return;
    const invalidate = (keys: string[][]) => () => {
      for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
    };
    const details = throttle(invalidate(CHANGED_BY_EVENTS), DETAIL_MS);
    const summaries = throttle(invalidate(SUMMARIES), SUMMARY_MS);
    const onRefused = () => void fetchLater(sessionInfo, "/api/v1/session").catch(leaveWhenSignedOut);
    const onFrame = (frame: FeedFrame) => {
      if (frame.event === "appended") {
        live.set({ ...live.get(), lastEventAt: frame.data.receivedAt });
        for (const listener of listeners) listener(frame.data);
      } else details.call();
      summaries.call();
    };
    let feed: Feed | null = null;
    let left = false;
    const open = async () => {
      const { openFeed } = await import("#lib/client/feed");
      if (!left) feed = openFeed({ from: cursor.current, onStatus: setStatus, onRefused, onFrame });
    };
    open().catch(() => setStatus("reconnecting"));
    return () => {
      left = true;
      cursor.current = feed?.cursor() ?? cursor.current;
      feed?.close();
      details.cancel();
      summaries.cancel();
    };
  }, [paused, watched, queries, listeners, live]);

  return (
    <LiveContext value={live}>
      <ListenersContext value={listeners}>{children}</ListenersContext>
    </LiveContext>
  );
}

/** The live feed's state. */
export function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error("useLive stands outside LiveProvider");
  return { ...useStore(live), setPaused: (paused) => live.set({ ...live.get(), paused }) };
}

/** Calls `onAppended` for every event that comes in while the page is open. */
export function useFeed(onAppended: Listener): void {
  const listeners = useContext(ListenersContext);
  const latest = useRef(onAppended);
  useEffect(() => {
    latest.current = onAppended;
  });
  useEffect(() => {
    if (!listeners) return;
    const listener: Listener = (event) => latest.current(event);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listeners]);
}
