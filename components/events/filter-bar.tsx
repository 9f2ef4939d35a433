"use client";

import { Search, X } from "lucide-react";
import { type Choice, ChoiceFilter } from "#components/events/choice-filter";
import { SlowInput } from "#components/events/slow-input";
import { Button } from "#components/ui/button";
import { Select } from "#components/ui/select";
import { useExactWords } from "#components/ui/use-exact-words";
import { compact, isEmptyFilter } from "#lib/client/event-filter";
import { type EventFilter, eventStatus } from "#lib/contracts/events";

export type EventType = { type: string; title: string };

const STATUSES: Choice[] = [
  { value: "pending", label: "Pending", hint: "waits to be applied" },
  { value: "processed", label: "Processed", hint: "applied to the views" },
  { value: "failed", label: "Failed", hint: "could not be applied" },
  { value: "unrecognised", label: "Unrecognised", hint: "not in the catalogue" },
];
const ANY = "*";

type FilterBarProps = { filter: EventFilter; onChange: (filter: EventFilter) => void; types: EventType[]; sources: string[] };

/** One row: search and filters. The address holds what it says. */
export function FilterBar({ filter, onChange, types, sources }: FilterBarProps) {
  const change = (part: EventFilter) => onChange(compact({ ...filter, ...part }));
  const choices = types.map(({ type, title }) => ({ value: type, label: title, hint: type }));

  return (
    <search aria-label="Filter events" className="flex flex-wrap items-center gap-2">
      <SlowInput
        label="Search ids and payloads"
        placeholder="Search ids and payloads"
        icon={<Search aria-hidden />}
        value={filter.q ?? ""}
        onChange={(q) => change({ q })}
        className="flex-1 basis-40 min-[700px]:max-w-80"
      />
      <ChoiceFilter name="Type" choices={choices} chosen={filter.type ?? []} onChange={(type) => change({ type })} />
      <ChoiceFilter
        name="Status"
        choices={STATUSES}
        chosen={filter.status ?? []}
        onChange={(status) => change({ status: eventStatus.options.filter((one) => status.includes(one)) })}
      />
      {sources.length > 1 || filter.source ? (
        <Select
          label="Source"
          className="w-auto max-w-48"
          value={filter.source ?? ANY}
          onValueChange={(source) => change({ source: source === ANY ? undefined : source })}
          options={[{ value: ANY, label: "Any source" }, ...sourceOptions(sources, filter.source)]}
        />
      ) : null}
      <SlowInput
        label="Resource id"
        placeholder="Resource, such as doc_1"
        value={filter.resource ?? ""}
        onChange={(resource) => change({ resource })}
        className="w-48"
      />
      <Period filter={filter} onClear={() => change({ from: undefined, to: undefined })} />
      {isEmptyFilter(filter) ? null : (
        <Button variant="ghost" icon={<X aria-hidden />} onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

const sourceOptions = (sources: string[], chosen: string | undefined) =>
  [...new Set(chosen === undefined ? sources : [...sources, chosen])].map((name) => ({ value: name, label: name }));

/** A period comes with the address (a chart's bar, an overview's number); here it can be taken away. */
function Period({ filter, onClear }: { filter: EventFilter; onClear: () => void }) {
  const exactWords = useExactWords();
  if (!filter.from && !filter.to) return null;
  const from = filter.from ? `from ${exactWords(Date.parse(filter.from))}` : "";
  const to = filter.to ? `to ${exactWords(Date.parse(filter.to))}` : "";
  return (
    <Button aria-label={`Take the period away: ${from} ${to}`} className="max-w-full font-normal" onClick={onClear}>
      <span className="truncate">{`${from} ${to}`.trim()}</span>
      <X aria-hidden />
    </Button>
  );
}
