"use client";

import { type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { type ReactNode, useCallback } from "react";
import { EventTable } from "#components/events/event-table";
import { SelectionBar } from "#components/events/selection-bar";
import { isTooSlow, SlowSearch } from "#components/events/slow-search";
import { useAtTop } from "#components/events/use-at-top";
import { useLiveList } from "#components/events/use-live-list";
import { useSelection } from "#components/events/use-selection";
import { Button } from "#components/ui/button";
import { formatNumber } from "#components/ui/count";
import { ErrorState, LoadingState, NothingMatches } from "#components/ui/empty-state";
import { Kbd } from "#components/ui/kbd";
import { toast } from "#components/ui/toast";
import { isEmptyFilter } from "#lib/client/event-filter";
import { rowsOf } from "#lib/client/event-pages";
import { eventsQuery } from "#lib/client/events";
import type { EventFilter } from "#lib/contracts/events";

type EventListProps = {
  filter: EventFilter;
  selected: string | null;
  canRedeliver: boolean;
  onChange: (filter: EventFilter) => void;
  nothingYet: ReactNode;
};

/** The list in all its states: loading, broken, empty, filled; older pages below, newer events above. */
export function EventList({ filter, selected, canRedeliver, onChange, nothingYet }: EventListProps) {
  const query = useInfiniteQuery(eventsQuery(filter));
  const { atTop, ref } = useAtTop();
  const events = rowsOf(query.data);
  const selection = useSelection(filter, events);
  const live = useLiveList(filter, atTop && selected === null && selection.ticked.length === 0);
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
      <NewerButton count={live.waiting} onClick={showNewer} />
      {events.length > 0 ? (
        <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? "opacity-60" : undefined}>
          <EventTable events={events} selected={selected} selection={selection} onEnd={loadOlder} />
          <ListFoot query={query} />
        </div>
      ) : query.isPending ? (
        <LoadingState what="events" rows={12} />
      ) : isTooSlow(query.error) ? (
        <SlowSearch filter={filter} onChange={onChange} words={query.error?.message ?? ""} />
      ) : query.isError ? (
        <ErrorState what="events" error={query.error} onRetry={() => void query.refetch()} />
      ) : isEmptyFilter(filter) ? (
        nothingYet
      ) : (
        <NothingMatches what="events" onClear={() => onChange({})} />
      )}
      {query.isError && events.length > 0 ? (
        <ErrorState what="the newest state of this list" error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      <SelectionBar selection={selection} canRedeliver={canRedeliver} />
    </div>
  );
}

/** Newer events that wait, so that nothing moves under the reader's eyes. */
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
    if (isFetchNextPageError) toast.error("Could not load older events", { description: error?.message });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-3 py-3">
      {query.hasNextPage ? (
        <Button loading={query.isFetchingNextPage} onClick={() => void older()}>
          Load older
        </Button>
      ) : (
        <p className="text-12 text-faint">These are all.</p>
      )}
      <p className="hidden items-center gap-1.5 text-12 text-faint rail:flex">
        <Kbd>j</Kbd> <Kbd>k</Kbd> move <Kbd>Enter</Kbd> open <Kbd>Esc</Kbd> close
      </p>
    </div>
  );
}
