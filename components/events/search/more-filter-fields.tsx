"use client";

import { useEffect, useRef } from "react";
import { FilterField } from "#components/records/filters/filter-field";
import { EVENT_FILTERS, MORE_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";
import { PayloadFilter } from "./payload-filter.tsx";

export type ConnectionName = { id: string; name: string };

export type MoreFiltersProps = {
  filter: EventFilter;
  change: (part: EventFilter) => void;
  sources: string[];
  connections: ConnectionName[];
};

export function MoreFilterFields({ filter, change, sources, connections }: MoreFiltersProps) {
  const options = {
    sources: sources.map((name) => ({ value: name, label: name })),
    connections: connections.map(({ id, name }) => ({ value: id, label: name })),
  };
  const fields = useRef<HTMLDivElement>(null);
  // If the fields load after the popover opened, the popover has the focus.
  useEffect(() => {
    if (document.activeElement?.contains(fields.current)) fields.current?.querySelector<HTMLElement>("input, select, button")?.focus();
  }, []);
  return (
    <div ref={fields} className="flex flex-col gap-4">
      {MORE_FILTERS.map((name) => (
        <FilterField
          key={name}
          filter={EVENT_FILTERS[name]}
          chosen={filter[name]}
          options={options}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
      <PayloadFilter q={filter.q ?? ""} onChange={(q) => change({ q })} />
    </div>
  );
}
