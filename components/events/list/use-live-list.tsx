"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useThrottled } from "#components/events/list/use-throttled";
import { useFeed } from "#components/shell/live/live-provider";
import { useLatest } from "#components/ui/lists/use-latest";
import { dropGone, type EventPages, joinWaiting, prependRows, refreshRows } from "#lib/client/queries/events/event-pages";
import { eventsQuery, newestQuery } from "#lib/client/queries/events/events";
import { matchesFilter } from "#lib/client/queries/events/matches-filter";
import { refresh } from "#lib/client/queries/keys";
import type { Page } from "#lib/contracts/api/paging";
import type { EventFilter, EventSummary } from "#lib/contracts/events/events";

/** Events of a burst are inserted together this often, not one by one. Milliseconds. */
const GATHER_MS = 40;
/** The newest rows are fetched again at most this often. Milliseconds. */
const SYNC_MS = 1000;

type Waiting = { filter: EventFilter; events: EventSummary[] };

/**
 * Keeps the list up to date. New events are added on top while `mayInsert`,
 * else they wait to be shown. Loaded rows get their new state without moving.
 *
 * @param reading true while the list's first rows are being fetched
 * @param mayInsert false while moving rows would disturb: scrolled down, an event is open, or the feed is paused
 */
export function useLiveList(filter: EventFilter, reading: boolean, mayInsert: boolean) {
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState<Waiting>({ filter, events: [] });
  const { queryKey } = eventsQuery(filter);
  const now = useRef({ filter, mayInsert, queryKey });
  useEffect(() => {
    now.current = { filter, mayInsert, queryKey };
  });

  const take = useCallback(
    (events: EventSummary[]) => {
      const { queryKey, mayInsert, filter } = now.current;
      const data = queries.getQueryData<EventPages>(queryKey);
      if (!data || events.length === 0) return;
      const { data: refreshed, unseen } = refreshRows(data, events);
      queries.setQueryData<EventPages>(queryKey, mayInsert ? prependRows(data, events) : refreshed);
      if (mayInsert || unseen.length === 0) return;
      setWaiting((old) => ({ filter, events: joinWaiting(old.filter === filter ? old.events : [], unseen) }));
    },
    [queries],
  );
  /** When none of the newest rows is known there is a gap, and the list restarts from them. */
  const takeNewest = useCallback(
    (newest: Page<EventSummary>) => {
      const { queryKey, mayInsert, filter } = now.current;
      const data = queries.getQueryData<EventPages>(queryKey);
      if (!data) return;
      const gap = newest.nextCursor !== null && refreshRows(data, newest.data).unseen.length === newest.data.length;
      if (mayInsert && gap) queries.setQueryData<EventPages>(queryKey, { pages: [newest], pageParams: [null] });
      else {
        if (mayInsert && filter.state) queries.setQueryData<EventPages>(queryKey, dropGone(data, newest));
        take(newest.data);
      }
    },
    [queries, take],
  );
  useNewest(filter, takeNewest);

  const gathered = useRef<EventSummary[]>([]);
  const flush = useThrottled(() => take(gathered.current.splice(0)), GATHER_MS);
  const sync = useThrottled(() => refresh(queries, newestQuery(now.current.filter).queryKey), SYNC_MS);
  // Events received after the list was read, and before this page listened, are in no frame.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each filter is another list.
  useEffect(() => {
    if (!reading) sync();
  }, [reading, filter, sync]);
  useFeed((event) => {
    const match = matchesFilter(event, filter);
    if (match === "unknown") sync();
    if (match !== "yes") return;
    gathered.current.push(event);
    flush();
  });

  const data = queries.getQueryData<EventPages>(queryKey);
  // Events that are in the list by now, with the newest rows, no longer wait.
  const held = waiting.filter !== filter ? [] : data ? refreshRows(data, waiting.events).unseen : waiting.events;
  const show = () => {
    if (data) queries.setQueryData<EventPages>(queryKey, prependRows(data, held));
    setWaiting({ filter, events: [] });
  };
  // At the top again, nothing ticked or open: what waits comes in now, not under a pointer that is on its way to the button.
  const latest = useLatest(show);
  useEffect(() => {
    if (mayInsert) latest.current();
  }, [mayInsert, latest]);
  return { waiting: held.length, show };
}

/** Passes each fresh response with the newest events on. */
function useNewest(filter: EventFilter, onAnswer: (newest: Page<EventSummary>) => void) {
  const { data, isFetchedAfterMount } = useQuery(newestQuery(filter));
  useEffect(() => {
    if (isFetchedAfterMount) onAnswer(data);
  }, [data, isFetchedAfterMount, onAnswer]);
}
