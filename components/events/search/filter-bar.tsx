"use client";

import { X } from "lucide-react";
import { ColumnsMenu } from "#components/events/columns/columns-menu";
import { FilterShell } from "#components/records/filters/filter-shell";
import { Button } from "#components/ui/primitives/button";
import { compact } from "#lib/client/url-filter";
import { formatNumber } from "#lib/contracts/counts/format-count";
import { EVENT_STATES } from "#lib/contracts/events/event-enums";
import { EVENT_FILTERS, MORE_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";
import { type Choice, ChoiceFilter } from "./choice-filter.tsx";
import type { ConnectionName } from "./more-filter-fields.tsx";
import { MoreFilters } from "./more-filters.tsx";
import { SearchBox } from "./search-box.tsx";

export type EventType = { type: string; title: string };

const STATES: Choice[] = [
  { value: "pending", label: "Pending", hint: "waiting to be applied" },
  { value: "processed", label: "Processed", hint: "applied to records" },
  { value: "failed", label: "Failed", hint: "could not be applied" },
  { value: "unrecognised", label: "Unrecognised", hint: "unknown event type" },
];

type FilterBarProps = {
  filter: EventFilter;
  onChange: (filter: EventFilter) => void;
  types: EventType[];
  sources: string[];
  connections: ConnectionName[];
};

const OWN_FIELDS = ["q", "type", "state", "issue", ...MORE_FILTERS] as const;

export function FilterBar({ filter, onChange, types, sources, connections }: FilterBarProps) {
  const change = (part: EventFilter) => onChange(compact({ ...filter, ...part }));
  const choices = types.map(({ type, title }) => ({ value: type, label: title, hint: type }));
  return (
    <FilterShell
      what="events"
      filters={EVENT_FILTERS}
      filter={filter}
      onChange={onChange}
      hidden={OWN_FIELDS}
      menus={
        <>
          <ColumnsMenu />
          <MoreFilters filter={filter} change={change} sources={sources} connections={connections} />
        </>
      }
    >
      <SearchBox value={filter.q ?? ""} onChange={(q) => change({ q })} types={types.map(({ type }) => type)} sources={sources} />
      <ChoiceFilter name={EVENT_FILTERS.type.label} choices={choices} chosen={filter.type ?? []} onChange={(type) => change({ type })} />
      <ChoiceFilter
        name={EVENT_FILTERS.state.label}
        choices={STATES}
        chosen={filter.state ?? []}
        onChange={(state) => change({ state: EVENT_STATES.filter((one) => state.includes(one)) })}
      />
      {filter.issue === undefined ? null : (
        <Button className="font-normal" icon={<X aria-hidden />} onClick={() => change({ issue: undefined })}>
          {filter.issue.length === 1 ? "In one issue" : `In ${formatNumber(filter.issue.length)} issues`}
        </Button>
      )}
    </FilterShell>
  );
}
