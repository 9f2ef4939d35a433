"use client";

import { type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { type ReactNode, useCallback } from "react";
import { usePaused } from "#components/shell/live/live-provider";
import { toast } from "#components/ui/feedback/toast";
import { ErrorState, LoadingState, NothingMatches } from "#components/ui/layout/empty-state";
import { Refreshing } from "#components/ui/layout/refreshing";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Button } from "#components/ui/primitives/button";
import { Kbd } from "#components/ui/primitives/kbd";
import { ApiProblem } from "#lib/client/fetch/api-problem";
import { rowsOf } from "#lib/client/queries/events/event-pages";
import { eventsQuery } from "#lib/client/queries/events/events";
import { isEmptyFilter } from "#lib/client/url-filter";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { EventFilter } from "#lib/contracts/events/events";
import { EventTable } from "./event-table.tsx";
import { useAtTop } from "./use-at-top.tsx";
import { useLiveList } from "./use-live-list.tsx";
import { useSelection } from "./use-selection.tsx";

const SearchTimeout = lazyComponent(() => import("#components/events/search/search-timeout").then((module) => module.SearchTimeout));
const SearchNotes = lazyComponent(() => import("#components/events/search/search-notes").then((module) => module.SearchNotes));
const SelectionBar = lazyComponent(() => import("./selection-bar.tsx").then((module) => module.SelectionBar));

const isTooSlow = (error: Error | null): boolean => error instanceof ApiProblem && error.code === "search_too_slow";

type EventListProps = {
  filter: EventFilter;
  selected: string | null;
  canRedeliver: boolean;
  onChange: (filter: EventFilter) => void;
  nothingYet: ReactNode;
};

export function EventList({ filter, selected, canRedeliver, onChange, nothingYet }: EventListProps) {
  const query = useInfiniteQuery(eventsQuery(filter));
  const { atTop, ref } = useAtTop();
  const events = rowsOf(query.data);
  const first = query.data?.pages[0];
  const selection = useSelection(filter, events);
  const paused = usePaused();
  const live = useLiveList(
    filter,
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
      {first?.searchedInPart || first?.searchedBackTo ? <SearchNotes page={first} /> : null}
      <NewerButton count={live.waiting} onClick={showNewer} />
      {events.length > 0 ? (
        <Refreshing busy={query.isPlaceholderData}>
          <EventTable events={events} selected={selected} selection={selection} onEnd={loadOlder} />
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
        <NothingMatches what="events" onClear={() => onChange({})} />
      )}
      {query.isError && events.length > 0 ? (
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
  const older = async () => {
    const { error, isFetchNextPageError } = await query.fetchNextPage();
    if (isFetchNextPageError) toast.error("Couldn't load older events", { description: error?.message });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-3 py-3">
      {query.hasNextPage ? (
        <Button loading={query.isFetchingNextPage} onClick={() => void older()}>
          Load older
        </Button>
      ) : (
        <p className="text-12 text-faint">End of list</p>
      )}
      <p className="hidden items-center gap-1.5 text-12 text-faint rail:flex">
        <Kbd>j</Kbd> <Kbd>k</Kbd> move <Kbd>o</Kbd> open <Kbd>x</Kbd> select <Kbd>r</Kbd> re-deliver <Kbd>?</Kbd> all keys
      </p>
    </div>
  );
}
