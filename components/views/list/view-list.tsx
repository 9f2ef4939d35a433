"use client";

import { Button } from "#components/ui/button";
import { ErrorState, LoadingState, NothingMatches } from "#components/ui/empty-state";
import { NoViewsYet } from "#components/views/list/no-views-yet";
import { useViewFilter } from "#components/views/list/use-view-filter";
import { ViewFilters } from "#components/views/list/view-filters";
import { ViewTable } from "#components/views/list/view-table";
import { KIND_WORDS } from "#components/views/view-words";
import { useViews } from "#lib/client/views";
import type { ViewKind } from "#lib/contracts/views";

/** All views of a kind: filters that live in the address, the table, older ones on request. It follows the events. */
export function ViewList({ kind, sandbox }: { kind: ViewKind; sandbox: boolean }) {
  const { filter, setFilter } = useViewFilter();
  const views = useViews(kind, filter);
  const records = views.data?.pages.flatMap((page) => page.data) ?? [];
  const filtered = Object.keys(filter).length > 0;
  if (views.isSuccess && records.length === 0 && !filtered) return <NoViewsYet kind={kind} sandbox={sandbox} />;
  return (
    <div className="flex flex-col gap-3">
      <ViewFilters kind={kind} filter={filter} onChange={setFilter} />
      <div aria-busy={views.isPlaceholderData}>
        <Records kind={kind} views={views} onClear={() => setFilter({})} />
      </div>
    </div>
  );
}

function Records({ kind, views, onClear }: { kind: ViewKind; views: ReturnType<typeof useViews>; onClear: () => void }) {
  const { many, title } = KIND_WORDS[kind];
  if (views.isPending) return <LoadingState what={many} />;
  if (!views.data) return <ErrorState what={many} error={views.error} onRetry={() => views.refetch()} />;
  const records = views.data.pages.flatMap((page) => page.data);
  if (records.length === 0) {
    return (
      <NothingMatches what={many} onClear={onClear}>
        Take the state or the search away, or search for a part of the name or the id.
      </NothingMatches>
    );
  }
  return (
    <>
      <ViewTable kind={kind} label={title} records={records} />
      {views.hasNextPage ? (
        <div className="flex justify-center py-3">
          <Button loading={views.isFetchingNextPage} onClick={() => views.fetchNextPage()}>
            Load older {many}
          </Button>
        </div>
      ) : null}
    </>
  );
}
