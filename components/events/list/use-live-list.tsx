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

/** Time in which events of a burst are collected and inserted together. Milliseconds. */
const GATHER_MS = 40;
/** Shortest time between two fetches of the newest rows. Milliseconds. */
const SYNC_MS = 1000;

type Waiting = { filter: EventFilter; events: EventSummary[] };

/** Keeps the list up to date. `mayInsert` false, as while scrolled down: new events wait. `reading`: the first rows load. */
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
  /** If none of the newest rows is known there is a gap, and the list restarts from them. */
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
  // Events received between the list's response and the start of the feed are in no frame.
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
  const held = waiting.filter !== filter ? [] : data ? refreshRows(data, waiting.events).unseen : waiting.events;
  const show = () => {
    if (data) queries.setQueryData<EventPages>(queryKey, prependRows(data, held));
    setWaiting({ filter, events: [] });
  };
  // Back at the top, waiting events are added at once, not under a pointer on its way to the button.
  const latest = useLatest(show);
  useEffect(() => {
    if (mayInsert) latest.current();
  }, [mayInsert, latest]);
  return { waiting: held.length, show };
}

function useNewest(filter: EventFilter, onAnswer: (newest: Page<EventSummary>) => void) {
  const { data, isFetchedAfterMount } = useQuery(newestQuery(filter));
  useEffect(() => {
    if (isFetchedAfterMount) onAnswer(data);
  }, [data, isFetchedAfterMount, onAnswer]);
}
