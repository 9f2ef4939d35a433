"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { FilterRow, useUrlFilter } from "#components/records/filters/filter-row";
import { RedeliveryState } from "#components/records/redelivery-state";
import { ResourceId } from "#components/records/resource-id";
import { NothingMatches, withFallback } from "#components/ui/layout/content-states";
import { type Column, DataTable, timeColumn } from "#components/ui/layout/data-table";
import { PageHeader } from "#components/ui/layout/page-header";
import { RowLink } from "#components/ui/layout/table";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { StateBadge } from "#components/ui/primitives/badge";
import { LinkButton } from "#components/ui/primitives/button";
import { ExactTime } from "#components/ui/relative-time";
import { redeliveryEventsQuery, redeliveryQuery, redeliverySet } from "#lib/client/queries/redeliveries";
import { filterHref } from "#lib/client/url-filter";
import { visible } from "#lib/contracts/api/plain-text";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import { REDELIVERY_EVENT_FILTERS, type RedeliveryEventFilter } from "#lib/contracts/list-filters";
import type { RedeliveryEvent } from "#lib/contracts/redeliveries";

const OUTCOMES = {
  applied: { state: "fine", word: "Applied" },
  failed: { state: "failed", word: "Failed" },
  waiting: { state: "working", word: "Waiting" },
  not_tried: { state: "neutral", word: "Not attempted" },
} as const;

export function RedeliveryPage({ id, canRedeliver }: { id: string; canRedeliver: boolean }) {
  const { data, fallback } = withFallback(useQuery(redeliveryQuery(id)), { what: "this re-delivery", loading: "the re-delivery", rows: 6 });
  const { filter, setFilter } = useUrlFilter(REDELIVERY_EVENT_FILTERS);
  if (!data) return fallback;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={data.name ?? redeliverySet(data)}
        description={
          <>
            {data.name === null ? "" : `${redeliverySet(data)}. `}Started <ExactTime at={data.createdAt} /> by{" "}
            {data.requestedBy ?? "unknown"}.
          </>
        }
        actions={
          <>
            {data.filter === null ? null : (
              <LinkButton href={filterHref("/events", EVENT_FILTERS, data.filter)}>Current matches</LinkButton>
            )}
            <LinkButton href="/redeliveries">All re-deliveries</LinkButton>
          </>
        }
      />
      <RedeliveryState redelivery={data} allowed={canRedeliver} />
      <FilterRow what="events" filters={REDELIVERY_EVENT_FILTERS} filter={filter} onChange={setFilter} />
      <Events id={id} filter={filter} running={data.state === "running"} onClear={() => setFilter({})} />
    </div>
  );
}

type EventsProps = { id: string; filter: RedeliveryEventFilter; running: boolean; onClear: () => void };

function Events({ id, filter, running, onClear }: EventsProps) {
  const query = useInfiniteQuery(redeliveryEventsQuery(id, filter, running));
  const { rows: events, fallback } = paged(query, { what: "its events" });
  if (events.length === 0)
    return (
      fallback ?? (
        <NothingMatches what="events" onClear={onClear}>
          Events no longer in the log are only counted.
        </NothingMatches>
      )
    );
  return (
    <div>
      <DataTable
        label="Events of this re-delivery, in the order of receipt"
        wide
        columns={COLUMNS}
        rows={events}
        keyOf={({ eventId }) => eventId}
      />
      <LoadOlder query={query} className="mt-3 self-start" />
    </div>
  );
}

const COLUMNS: Column<RedeliveryEvent>[] = [
  {
    head: "Outcome",
    look: "py-2 align-top",
    cell: ({ outcome }) => <StateBadge state={OUTCOMES[outcome].state}>{OUTCOMES[outcome].word}</StateBadge>,
  },
  {
    head: "Event",
    look: "w-full min-w-48 whitespace-normal py-2 align-top",
    title: ({ type }) => type,
    cell: ({ eventId, title, failure }) => (
      <>
        <RowLink href={`/events/${encodeURIComponent(eventId)}`}>{visible(title)}</RowLink>
        {failure === null ? null : <span className="block break-words text-12 text-muted">{failure}</span>}
      </>
    ),
  },
  { head: "ID", className: "max-[560px]:hidden", look: "py-2 align-top", cell: ({ eventId }) => <ResourceId id={eventId} /> },
  { ...timeColumn("Received", ({ receivedAt }) => receivedAt), look: "py-2 align-top text-muted" },
];
