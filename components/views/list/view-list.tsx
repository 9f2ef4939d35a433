"use client";

import { useUrlFilter } from "#components/records/filters/use-url-filter";
import { ErrorState, LoadingState, NothingMatches } from "#components/ui/layout/empty-state";
import { Button } from "#components/ui/primitives/button";
import { NoViewsYet } from "#components/views/list/no-views-yet";
import { useOrder } from "#components/views/list/use-order";
import { ViewFilters } from "#components/views/list/view-filters";
import { ViewTable } from "#components/views/list/view-table";
import { KIND_WORDS } from "#components/views/view-labels";
import { useViewCount, useViews } from "#lib/client/queries/views";
import { isEmptyFilter } from "#lib/client/url-filter";
import { cappedNumber, nounFor } from "#lib/contracts/counts/format-count";
import { VIEW_FILTERS, type ViewFilter } from "#lib/contracts/filters/view-filters";
import type { ViewKind, ViewOrder } from "#lib/contracts/views";

export function ViewList({ kind, sandbox }: { kind: ViewKind; sandbox: boolean }) {
  const { filter, setFilter } = useUrlFilter(VIEW_FILTERS);
  const { order, setOrder } = useOrder();
  const views = useViews(kind, filter, { order });
  const records = views.data?.pages.flatMap((page) => page.data) ?? [];
  const filtered = !isEmptyFilter(filter);
  if (views.isSuccess && records.length === 0 && !filtered) return <NoViewsYet kind={kind} sandbox={sandbox} />;
  return (
    <div className="flex flex-col gap-3">
      <ViewFilters kind={kind} filter={filter} onChange={setFilter} />
      <Total kind={kind} filter={filter} />
      <div aria-busy={views.isPlaceholderData}>
        <Records kind={kind} views={views} order={order} onOrder={setOrder} onClear={() => setFilter({})} />
      </div>
    </div>
  );
}

const MAX_COUNTED = 10_000;

function Total({ kind, filter }: { kind: ViewKind; filter: ViewFilter }) {
  const { data } = useViewCount(kind, filter);
  const { one, many } = KIND_WORDS[kind];
  const count = data?.count;
  return (
    <p aria-live="polite" className="h-5 text-13 text-muted tabular-nums">
      {count === undefined ? null : `${cappedNumber(count, MAX_COUNTED)} ${nounFor(count, one, many)}`}
    </p>
  );
}

type RecordsProps = {
  kind: ViewKind;
  views: ReturnType<typeof useViews>;
  order: ViewOrder;
  onOrder: (order: ViewOrder) => void;
  onClear: () => void;
};

function Records({ kind, views, order, onOrder, onClear }: RecordsProps) {
  const { many, title } = KIND_WORDS[kind];
  if (views.isPending) return <LoadingState what={many} />;
  if (!views.data) return <ErrorState what={many} error={views.error} onRetry={() => views.refetch()} />;
  const records = views.data.pages.flatMap((page) => page.data);
  if (records.length === 0) {
    return (
      <NothingMatches what={many} onClear={onClear}>
        Remove a filter, or search for part of the name or ID.
      </NothingMatches>
    );
  }
  return (
    <>
      <ViewTable kind={kind} label={title} records={records} order={order} onOrder={onOrder} />
      {views.hasNextPage ? (
        <div className="flex justify-center py-3">
          <Button loading={views.isFetchingNextPage} onClick={() => views.fetchNextPage()}>
            Load more {many}
          </Button>
        </div>
      ) : null}
    </>
  );
}
