"use client";

import { Search, X } from "lucide-react";
import { type Choice, ChoiceFilter } from "#components/events/choice-filter";
import type { ConnectionName } from "#components/events/more-filter-fields";
import { MoreFilters } from "#components/events/more-filters";
import { PeriodFilter } from "#components/events/period-filter";
import { SlowInput } from "#components/events/slow-input";
import { Button } from "#components/ui/button";
import { compact, isEmptyFilter } from "#lib/client/event-filter";
import { EVENT_STATUSES } from "#lib/contracts/event-words";
import type { EventFilter } from "#lib/contracts/events";

export type EventType = { type: string; title: string };

const STATUSES: Choice[] = [
  { value: "pending", label: "Pending", hint: "waits to be applied" },
  { value: "processed", label: "Processed", hint: "applied to the views" },
  { value: "failed", label: "Failed", hint: "could not be applied" },
  { value: "unrecognised", label: "Unrecognised", hint: "not in the catalogue" },
];

type FilterBarProps = {
  filter: EventFilter;
  onChange: (filter: EventFilter) => void;
  types: EventType[];
  sources: string[];
  connections: ConnectionName[];
};

/** One row: search and filters. The address holds what it says. */
export function FilterBar({ filter, onChange, types, sources, connections }: FilterBarProps) {
  const change = (part: EventFilter) => onChange(compact({ ...filter, ...part }));
  const choices = types.map(({ type, title }) => ({ value: type, label: title, hint: type }));
  return (
    <search aria-label="Filter events" className="flex flex-wrap items-center gap-2">
      <SlowInput
        label="Search ids and payloads"
        placeholder="Ids, words, data.status:failed"
        icon={<Search aria-hidden />}
        value={filter.q ?? ""}
        onChange={(q) => change({ q })}
        className="flex-1 basis-52 min-[700px]:max-w-96"
      />
      <ChoiceFilter name="Type" choices={choices} chosen={filter.type ?? []} onChange={(type) => change({ type })} />
      <ChoiceFilter
        name="Status"
        choices={STATUSES}
        chosen={filter.status ?? []}
        onChange={(status) => change({ status: EVENT_STATUSES.filter((one) => status.includes(one)) })}
      />
      <PeriodFilter filter={filter} onChange={onChange} />
      <MoreFilters filter={filter} change={change} sources={sources} connections={connections} />
      {filter.issue === undefined ? null : (
        <Button className="font-normal" icon={<X aria-hidden />} onClick={() => change({ issue: undefined })}>
          Of one issue
        </Button>
      )}
      {isEmptyFilter(filter) ? null : (
        <Button variant="ghost" icon={<X aria-hidden />} onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
