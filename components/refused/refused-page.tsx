"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { RefusedRow } from "#components/refused/refused-row";
import { Button } from "#components/ui/button";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/empty-state";
import { PageHeader } from "#components/ui/page-header";
import { HeadCell, Table, TableBody, TableHead } from "#components/ui/table";
import { quarantineQuery } from "#lib/client/quarantine";
import type { QuarantineItem } from "#lib/contracts/quarantine";

/** Refusals send no frame of the feed: they are asked for this often. */
const POLL_MS = 5000;

/** What was not let in, and why. */
export function RefusedPage() {
  const query = useInfiniteQuery({ ...quarantineQuery, refetchInterval: POLL_MS });
  const items = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Refused"
        description="Requests that were not let into the log: not signed as they should be, or no events. Nothing here was acted on. Kept for 30 days."
      />
      {items.length > 0 ? (
        <>
          <RefusedTable items={items} />
          {query.hasNextPage ? (
            <Button className="self-start" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Load older
            </Button>
          ) : null}
        </>
      ) : query.isPending ? (
        <LoadingState what="refused requests" />
      ) : query.isError ? (
        <ErrorState what="refused requests" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <NothingYet icon={<ShieldCheck aria-hidden />} title="Nothing was refused">
          A request with a wrong signature, or one that is not an event, is kept here with its reason.
        </NothingYet>
      )}
    </div>
  );
}

function RefusedTable({ items }: { items: QuarantineItem[] }) {
  return (
    <div className="@container -mx-4 rail:mx-0">
      <Table label="Refused requests, newest first" className="max-rail:overflow-x-visible">
        <TableHead>
          <HeadCell>Verdict</HeadCell>
          <HeadCell className="@max-[760px]:hidden">Signature</HeadCell>
          <HeadCell className="@max-[760px]:hidden">Source</HeadCell>
          <HeadCell className="@max-[760px]:hidden">Address</HeadCell>
          <HeadCell align="right">Received</HeadCell>
        </TableHead>
        <TableBody>
          {items.map((item) => (
            <RefusedRow key={item.id} item={item} />
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
