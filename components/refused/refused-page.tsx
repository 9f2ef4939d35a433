"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { AdmitAll } from "#components/refused/admit-all";
import { RefusedRow } from "#components/refused/refused-row";
import { VerdictTabs } from "#components/refused/verdict-tabs";
import { verdictGroup } from "#components/refused/verdict-words";
import { ErrorState, LoadingState, NothingMatches, NothingYet } from "#components/ui/empty-state";
import { LoadOlder } from "#components/ui/load-older";
import { PageHeader } from "#components/ui/page-header";
import { HeadCell, Table, TableBody, TableHead } from "#components/ui/table";
import { quarantineQuery } from "#lib/client/quarantine";
import type { QuarantineItem } from "#lib/contracts/quarantine";

/** Refusals send no frame of the feed: they are asked for this often. */
const POLL_MS = 5000;

/** What was not let in, and why. */
export function RefusedPage({ canAdmit }: { canAdmit: boolean }) {
  const query = useInfiniteQuery({ ...quarantineQuery, refetchInterval: POLL_MS });
  const items = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const [group, setGroup] = useState<string | null>(null);
  const shown = group === null ? items : items.filter((item) => verdictGroup(item) === group);
  const waiting = items.filter(({ verified, admittedAt }) => !verified && admittedAt === null);
  const passing = waiting.some(({ diagnosis }) => diagnosis?.verifiesNow);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Refused"
        description="Requests that were not let into the log: not signed as they should be, or no events. Nothing here was acted on. Kept for 30 days."
        actions={
          canAdmit && waiting.length > 0 ? (
            <AdmitAll filter={{}} label="Re-verify all" variant={passing ? "primary" : "secondary"} />
          ) : undefined
        }
      />
      {items.length > 0 ? (
        <>
          <VerdictTabs items={items} more={query.hasNextPage} chosen={group} onChoose={setGroup} />
          {shown.length > 0 ? (
            <RefusedTable items={shown} />
          ) : (
            <NothingMatches what="refused requests" onClear={() => setGroup(null)}>
              None of those that are loaded has this verdict any more.
            </NothingMatches>
          )}
          <LoadOlder query={query} className="self-start" />
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
