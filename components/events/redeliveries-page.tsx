"use client";

import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { RedeliveryState } from "#components/records/redelivery-state";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { type Column, DataTable, timeColumn } from "#components/ui/layout/data-table";
import { PageHeader } from "#components/ui/layout/page-header";
import { RowLink } from "#components/ui/layout/table";
import { LinkButton } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { TimeAgo } from "#components/ui/relative-time";
import { redeliveriesQuery, redeliverySet } from "#lib/client/queries/redeliveries";
import { filterHref } from "#lib/client/url-filter";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";

const WIDE = "max-[700px]:hidden";

export function RedeliveriesPage({ canRedeliver }: { canRedeliver: boolean }) {
  const { data, fallback } = withFallback(useQuery(redeliveriesQuery), { what: "the re-deliveries", rows: 6 });
  return (
    <>
      <PageHeader
        title="Re-deliveries"
        description="Events applied again from their original bytes, with the logic current at the time. The event log itself never changes."
        actions={<LinkButton href="/events">All events</LinkButton>}
      />
      {data && data.data.length > 0 ? (
        <DataTable label="Re-deliveries, newest first" wide columns={columnsFor(canRedeliver)} rows={data.data} keyOf={({ id }) => id} />
      ) : (
        (fallback ?? (
          <NothingYet icon={<RotateCw />} title="No re-deliveries yet" actions={<LinkButton href="/events">Select events</LinkButton>}>
            Select events on the Events page, or filter them, then click Re-deliver.
          </NothingYet>
        ))
      )}
    </>
  );
}

const columnsFor = (canRedeliver: boolean): Column<RedeliveryProgress>[] => [
  { head: "Name", look: "w-full min-w-28 max-w-0 py-2 max-[700px]:align-top", cell: (redelivery) => <Name redelivery={redelivery} /> },
  {
    head: "Progress",
    look: "whitespace-normal py-2",
    cell: (redelivery) => (
      <div className="relative z-1 min-[700px]:min-w-96">
        <RedeliveryState redelivery={redelivery} allowed={canRedeliver} />
      </div>
    ),
  },
  {
    head: "By",
    className: WIDE,
    look: "text-muted",
    cell: ({ requestedBy }) => <span className="block max-w-48 truncate">{requestedBy ?? "Unknown"}</span>,
  },
  timeColumn("Started", ({ createdAt }) => createdAt, "", WIDE),
];

function Name({ redelivery }: { redelivery: RedeliveryProgress }) {
  const { id, name, filter, requestedBy, createdAt } = redelivery;
  const set = redeliverySet(redelivery);
  return (
    <>
      <p className="truncate" title={name ?? set}>
        <RowLink href={`/redeliveries/${encodeURIComponent(id)}`}>{name ?? set}</RowLink>
      </p>
      {name === null ? null : <p className="truncate text-12 text-muted">{set}</p>}
      {filter === null ? null : (
        <TextLink href={filterHref("/events", EVENT_FILTERS, filter)} className="relative z-1 inline-block py-1 text-12">
          View current matches
        </TextLink>
      )}
      <p className="truncate text-12 text-muted min-[700px]:hidden">
        <TimeAgo at={createdAt} titled /> by {requestedBy ?? "unknown"}
      </p>
    </>
  );
}
