import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useFeed, usePaused } from "#components/shell/live/live-provider";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { ErrorState, LoadingState, NothingMatches, Refreshing } from "#components/ui/layout/content-states";
import { LoadOlder } from "#components/ui/lists/paging";
import { Button } from "#components/ui/primitives/button";
import { Kbd } from "#components/ui/primitives/kbd";
import { useLatest } from "#components/ui/primitives/use-latest";
import { ApiProblem } from "#lib/client/fetcher";
import { throttle } from "#lib/client/live-feed";
import {
  dropGone,
  type EventPages,
  eventsQuery,
  joinWaiting,
  matchesFilter,
  newestQuery,
  prependRows,
  refreshRows,
  rowsOf,
} from "#lib/client/queries/events";
import { refresh } from "#lib/client/queries/keys";
import { isEmptyFilter } from "#lib/client/url-filter";
import type { Page } from "#lib/contracts/api/parameters";
import { type EventOrder, hasTimeRange } from "#lib/contracts/events/event-filters";
import type { EventFilter, EventSummary } from "#lib/contracts/events/events";
import { formatNumber } from "#lib/contracts/format-count";
import { EventTable, useSelection } from "./event-table.tsx";

const SearchTimeout = lazyComponent(() => import("#components/events/search/search-limits").then((module) => module.SearchTimeout));
const SearchNotes = lazyComponent(() => import("#components/events/search/search-limits").then((module) => module.SearchNotes));
const SelectionBar = lazyComponent(() => import("./selection-bar.tsx").then((module) => module.SelectionBar));

const isTooSlow = (error: Error | null): boolean => error instanceof ApiProblem && error.code === "search_too_slow";

type EventListProps = {
  filter: EventFilter;
  order: EventOrder | undefined;
  onOrder: (order: EventOrder) => void;
  selected: string | null;
  canRedeliver: boolean;
  onChange: (filter: EventFilter) => void;
  nothingYet: ReactNode;
};

export function EventList({ filter, order, onOrder, selected, canRedeliver, onChange, nothingYet }: EventListProps) {
  const query = useInfiniteQuery(eventsQuery(filter, order));
  const { atTop, ref } = useAtTop();
  const events = rowsOf(query.data);
  const first = query.data?.pages[0];
  const selection = useSelection(filter, events);
  const paused = usePaused();
  const live = useLiveList(
    filter,
    order,
    query.isFetching && !query.isFetchingNextPage,
    atTop && selected === null && selection.ticked.length === 0 && !paused,
  );
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const loadOlder = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const showNewer = () => {
    live.show();
    window.scrollTo({ top: 0 });
  };
  return (
    <div className="@container relative">
      <div ref={ref} aria-hidden className="absolute top-0 h-px w-full" />
      {first?.searchedInPart || first?.searchedBackTo || first?.unknown ? (
        <SearchNotes page={first} filter={filter} onChange={onChange} />
      ) : null}
      <NewerButton count={live.waiting} onClick={showNewer} />
      {events.length > 0 ? (
        <Refreshing busy={query.isPlaceholderData}>
          <EventTable events={events} order={order} onOrder={onOrder} selected={selected} selection={selection} onEnd={loadOlder} />
          <ListFoot query={query} />
        </Refreshing>
      ) : query.isPending ? (
        <LoadingState what="events" rows={12} />
      ) : isTooSlow(query.error) ? (
        <SearchTimeout filter={filter} onChange={onChange} words={query.error?.message ?? ""} />
      ) : query.isError ? (
        <ErrorState what="events" error={query.error} onRetry={() => void query.refetch()} />
      ) : isEmptyFilter(filter) ? (
        nothingYet
      ) : (
        <NothingMatches what="events" timed={hasTimeRange(filter)} onClear={() => onChange({})} />
      )}
      {query.isRefetchError && events.length > 0 ? (
        <ErrorState what="newer events" error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {selection.ticked.length > 0 ? <SelectionBar selection={selection} canRedeliver={canRedeliver} /> : null}
    </div>
  );
}

/** Newer events wait here, so that rows don't move while someone reads. */
function NewerButton({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <div role="status" className="pointer-events-none sticky top-[calc(var(--sticky-top)+40px)] z-20 -mt-px flex h-0 justify-center">
      {count === 0 ? null : (
        <Button variant="primary" size="sm" icon={<ArrowUp aria-hidden />} className="pointer-events-auto shadow-raised" onClick={onClick}>
          {`${formatNumber(count)} new`}
        </Button>
      )}
    </div>
  );
}

function ListFoot({ query }: { query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage"> }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-3 py-3">
      {query.hasNextPage ? <LoadOlder query={query} /> : <p className="text-12 text-faint">End of list</p>}
      <p className="hidden items-center gap-1.5 text-12 text-faint rail:flex">
        <Kbd>j</Kbd> <Kbd>k</Kbd> move <Kbd>o</Kbd> open <Kbd>x</Kbd> select <Kbd>r</Kbd> re-deliver <Kbd>?</Kbd> all keys
      </p>
    </div>
  );
}

/** Time in which events of a burst are collected and inserted together. Milliseconds. */
const GATHER_MS = 40;
/** Shortest time between two fetches of the newest rows. Milliseconds. */
const SYNC_MS = 1000;

type Waiting = { filter: EventFilter; events: EventSummary[] };

/** Keeps the list up to date. `mayInsert` false, as while scrolled down: new events wait. `reading`: the first rows load. */
function useLiveList(filter: EventFilter, order: EventOrder | undefined, reading: boolean, mayInsert: boolean) {
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState<Waiting>({ filter, events: [] });
  const { queryKey } = eventsQuery(filter, order);
  const now = useRef({ filter, order, mayInsert, queryKey });
  useEffect(() => {
    now.current = { filter, order, mayInsert, queryKey };
  });

  const take = useCallback(
    (events: EventSummary[]) => {
      const { queryKey, mayInsert, filter, order } = now.current;
      const data = queries.getQueryData<EventPages>(queryKey);
      if (!data || events.length === 0) return;
      const { data: refreshed, unseen } = refreshRows(data, events, order);
      queries.setQueryData<EventPages>(queryKey, mayInsert ? prependRows(data, events, order) : refreshed);
      if (mayInsert || unseen.length === 0) return;
      setWaiting((old) => ({ filter, events: joinWaiting(old.filter === filter ? old.events : [], unseen) }));
    },
    [queries],
  );
  /** If none of the newest rows is known there is a gap, and the list restarts from them. */
  const takeNewest = useCallback(
    (newest: Page<EventSummary>) => {
      const { queryKey, mayInsert, filter, order } = now.current;
      const data = queries.getQueryData<EventPages>(queryKey);
      if (!data) return;
      const gap = newest.nextCursor !== null && refreshRows(data, newest.data, order).unseen.length === newest.data.length;
      if (mayInsert && gap) queries.setQueryData<EventPages>(queryKey, { pages: [newest], pageParams: [null] });
      else {
        if (mayInsert && filter.state) queries.setQueryData<EventPages>(queryKey, dropGone(data, newest, order));
        take(newest.data);
      }
    },
    [queries, take],
  );
  useNewest(filter, order, takeNewest);

  const gathered = useRef<EventSummary[]>([]);
  const flush = useThrottled(() => take(gathered.current.splice(0)), GATHER_MS);
  const sync = useThrottled(() => refresh(queries, newestQuery(now.current.filter, now.current.order).queryKey), SYNC_MS);
  // Events received between the list's response and the start of the feed are in no frame.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each filter is another list.
  useEffect(() => {
    if (!reading) sync();
  }, [reading, filter, order, sync]);
  useFeed((event) => {
    const match = matchesFilter(event, filter);
    if (match === "unknown") sync();
    if (match !== "yes") return;
    gathered.current.push(event);
    flush();
  });

  const data = queries.getQueryData<EventPages>(queryKey);
  const held = waiting.filter !== filter ? [] : data ? refreshRows(data, waiting.events, order).unseen : waiting.events;
  const show = () => {
    if (data) queries.setQueryData<EventPages>(queryKey, prependRows(data, held, order));
    setWaiting({ filter, events: [] });
  };
  // Back at the top, waiting events are added at once, not under a pointer on its way to the button.
  const latest = useLatest(show);
  useEffect(() => {
    if (mayInsert) latest.current();
  }, [mayInsert, latest]);
  return { waiting: held.length, show };
}

function useNewest(filter: EventFilter, order: EventOrder | undefined, onAnswer: (newest: Page<EventSummary>) => void) {
  const { data, isFetchedAfterMount } = useQuery(newestQuery(filter, order));
  useEffect(() => {
    if (isFetchedAfterMount) onAnswer(data);
  }, [data, isFetchedAfterMount, onAnswer]);
}

/** Returns a stable function that runs the latest `run`: at once, then at most every `ms` milliseconds. */
function useThrottled(run: () => unknown, ms: number): () => void {
  const newest = useRef(run);
  useEffect(() => {
    newest.current = run;
  });
  const [throttled] = useState(() => throttle(() => void newest.current(), ms));
  useEffect(() => throttled.cancel, [throttled]);
  return throttled.call;
}

/** True while the element with `ref` is visible: new rows can then be added on top without moving the ones being read. */
function useAtTop(): { atTop: boolean; ref: (mark: Element | null) => void } {
  const [atTop, setAtTop] = useState(true);
  const observer = useRef<IntersectionObserver | null>(null);
  const ref = useCallback((mark: Element | null) => {
    observer.current?.disconnect();
    observer.current = null;
    if (!mark) return;
    observer.current = new IntersectionObserver(([entry]) => setAtTop(entry?.isIntersecting ?? true), { rootMargin: "0px 0px 0px 0px" });
    observer.current.observe(mark);
  }, []);
  return { atTop, ref };
}
