"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { bySource } from "#components/records/filters/by-source";
import { FilterRow } from "#components/records/filters/filter-row";
import { useUrlFilter } from "#components/records/filters/use-url-filter";
import { ErrorState, LoadingState, NothingMatches, NothingYet } from "#components/ui/layout/empty-state";
import { PageHeader } from "#components/ui/layout/page-header";
import { LoadOlder } from "#components/ui/lists/load-older";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { missingEventsQuery } from "#lib/client/queries/missing-events";
import { isEmptyFilter } from "#lib/client/url-filter";
import { MISSING_EVENT_FILTERS, type MissingEventFilter } from "#lib/contracts/filters/missing-event-filters";
import type { MissingEventRule, MissingEventState } from "#lib/contracts/missing-events";
import { MissingEventRow } from "./missing-event-row.tsx";
import { RuleGroups } from "./rule-groups.tsx";

const NOTHING: Record<MissingEventState, [title: string, words: string]> = {
  open: ["No missing events", "Every expected event has been received."],
  snoozed: ["Nothing snoozed", "Snoozed missing events stay here until the snooze ends."],
  dismissed: ["Nothing dismissed", "Missing events that someone dismissed stay here until the event arrives."],
  closed: ["Nothing closed yet", "A missing event is closed automatically when it arrives."],
};

export function MissingEventsPage({ sources, canDismiss }: { sources: string[]; canDismiss: boolean }) {
  const { filter, setFilter } = useUrlFilter(MISSING_EVENT_FILTERS);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Missing events"
        description="Expected events we haven't received. An event may be late, or the platform may not send it."
      />
      <FilterRow what="missing events" filters={MISSING_EVENT_FILTERS} filter={filter} onChange={setFilter} {...bySource(sources)} />
      <MissingEvents
        key={JSON.stringify(filter)}
        filter={filter}
        canDismiss={canDismiss}
        onClear={() => setFilter({ state: filter.state })}
        onShow={(rule) => setFilter({ ...filter, rule })}
      />
    </div>
  );
}

type ListProps = { filter: MissingEventFilter; canDismiss: boolean; onClear: () => void; onShow: (rule: MissingEventRule) => void };

function MissingEvents({ filter, canDismiss, onClear, onShow }: ListProps) {
  const query = useInfiniteQuery(missingEventsQuery(filter));
  const { rows: missingEvents, listeners } = useSteadyOrder(query.data?.pages.flatMap(({ data }) => data) ?? [], ({ id }) => id);
  if (query.isPending) return <LoadingState what="missing events" />;
  if (!query.data) return <ErrorState what="missing events" error={query.error} onRetry={() => void query.refetch()} />;
  const { state = "open", ...narrowed } = filter;
  const [title, words] = NOTHING[state];
  if (missingEvents.length === 0 && !isEmptyFilter(narrowed))
    return (
      <NothingMatches what="missing events" onClear={onClear}>
        Try another rule or source.
      </NothingMatches>
    );
  if (missingEvents.length === 0)
    return (
      <NothingYet icon={<CircleCheck aria-hidden />} title={title}>
        {words}
      </NothingYet>
    );
  if (state === "open" && isEmptyFilter(narrowed))
    return (
      <div {...listeners}>
        <RuleGroups loaded={missingEvents} canDismiss={canDismiss} onShow={onShow} />
      </div>
    );
  return (
    <>
      <ul aria-label="Missing events, newest first" className="border-t border-line" {...listeners}>
        {missingEvents.map((missingEvent) => (
          <MissingEventRow key={missingEvent.id} missingEvent={missingEvent} canDismiss={canDismiss} />
        ))}
      </ul>
      <LoadOlder query={query} className="self-start" />
    </>
  );
}
