"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { FailureRow } from "#components/failures/failure-row";
import { OriginTabs, readOrigin } from "#components/failures/origin-tabs";
import { RedeliverAll } from "#components/failures/redeliver-all";
import { Button } from "#components/ui/button";
import { ErrorState, LoadingState, NothingMatches, NothingYet } from "#components/ui/empty-state";
import { PageHeader } from "#components/ui/page-header";
import { RowKeys } from "#components/ui/row-keys";
import { failuresQuery } from "#lib/client/failures";
import type { FailureItem } from "#lib/contracts/events";

/** What failed now: what we could not apply, which a press mends; what the platform reports, which only it can. */
export function FailuresPage({ canRedeliver }: { canRedeliver: boolean }) {
  const query = useInfiniteQuery(failuresQuery);
  const origin = readOrigin(useSearchParams().get("origin"));
  const all = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const shown = origin === "all" ? all : all.filter((item) => item.origin === origin);
  const ours = all.some((item) => item.origin === "processing");
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Failures"
        description="Events that could not be applied, and failures that the platform reports through its events."
        actions={ours ? <RedeliverAll allowed={canRedeliver} /> : undefined}
      />
      {all.length > 0 ? (
        <>
          <OriginTabs items={all} more={query.hasNextPage} origin={origin} />
          <FailureList items={shown} canRedeliver={canRedeliver} />
          {query.hasNextPage ? (
            <Button className="self-start" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Load older
            </Button>
          ) : null}
        </>
      ) : query.isPending ? (
        <LoadingState what="failures" />
      ) : query.isError ? (
        <ErrorState what="failures" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <NothingYet icon={<CircleCheck aria-hidden />} title="Nothing failed">
          Every event that arrived was applied, and the platform reported no failure of its own.
        </NothingYet>
      )}
    </div>
  );
}

function FailureList({ items, canRedeliver }: { items: FailureItem[]; canRedeliver: boolean }) {
  if (items.length === 0) return <NothingMatches what="failures">None of the failures that are loaded is of this origin.</NothingMatches>;
  return (
    <RowKeys>
      <ul aria-label="Failures, newest first" className="border-t border-line">
        {items.map((item) => (
          <FailureRow key={`${item.event.source} ${item.event.id}`} item={item} canRedeliver={canRedeliver} />
        ))}
      </ul>
    </RowKeys>
  );
}
