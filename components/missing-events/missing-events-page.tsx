"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { bySource, FilterRow, useUrlFilter } from "#components/records/filters/filter-row";
import { NothingMatches, NothingYet } from "#components/ui/layout/content-states";
import { PageHeader } from "#components/ui/layout/page-header";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { RowButton } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/relative-time";
import { missingEventRulesQuery, missingEventsQuery } from "#lib/client/queries/missing-events";
import { isEmptyFilter } from "#lib/client/url-filter";
import { formatNumber } from "#lib/contracts/format-count";
import { MISSING_EVENT_FILTERS, type MissingEventFilter } from "#lib/contracts/missing-event-filters";
import type { MissingEvent, MissingEventRule, MissingEventState } from "#lib/contracts/missing-events";
import { MissingEventRow, SetAside } from "./missing-event-row.tsx";

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
  const { rows, fallback } = paged(query, { what: "missing events" });
  const { rows: missingEvents, listeners } = useSteadyOrder(rows, ({ id }) => id);
  if (!query.data) return fallback;
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
      <NothingYet icon={<CircleCheck />} title={title}>
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

const SHOWN = 5;

type RuleGroupsProps = { loaded: MissingEvent[]; canDismiss: boolean; onShow: (rule: MissingEventRule) => void };

function RuleGroups({ loaded, canDismiss, onShow }: RuleGroupsProps) {
  const { data } = useQuery(missingEventRulesQuery);
  const { rows: groups, listeners } = useSteadyOrder(data?.data ?? [], ({ rule }) => rule);
  return (
    <div className="flex flex-col gap-6" {...listeners}>
      {groups.map(({ rule, what, count, lastAt }) => {
        const shown = loaded.filter((each) => each.rule === rule).slice(0, SHOWN);
        const [first] = shown;
        const alike = shown.length > 1 && shown.every(({ why, fix }) => why === first?.why && fix === first.fix);
        return (
          <section key={rule} aria-label={what} className="flex flex-col">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line pb-2">
              <h2 className="min-w-0 flex-1 basis-64 break-words text-14 font-medium">
                {what} <span className="font-normal text-muted tabular-nums">{formatNumber(count)}</span>
                <span className="block text-12 font-normal text-muted">
                  Newest <RelativeTime at={lastAt} />
                </span>
              </h2>
              <SetAside filter={{ rule }} what={what} count={count} allowed={canDismiss} />
              {alike && first ? (
                <div className="max-w-[90ch] basis-full break-words text-13 text-muted">
                  <p>{first.why}</p>
                  <p>{first.fix}</p>
                </div>
              ) : null}
            </div>
            <ul aria-label={`${what}, newest first`}>
              {shown.map((missingEvent) => (
                <MissingEventRow key={missingEvent.id} missingEvent={missingEvent} canDismiss={canDismiss} grouped={alike} />
              ))}
            </ul>
            {count > shown.length ? (
              <RowButton className="mt-2 self-start" aria-label={`Show all ${formatNumber(count)}: ${what}`} onClick={() => onShow(rule)}>
                {`Show all ${formatNumber(count)}`}
              </RowButton>
            ) : null}
          </section>
        );
      })}
    </div>
  );
}
