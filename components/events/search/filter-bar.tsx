import { ChevronDown, Columns3, Search, SlidersHorizontal, X } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import { DebouncedInput } from "#components/records/filters/debounced-input";
import { FilterShell } from "#components/records/filters/filter-shell";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { Popover } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { cn } from "#components/ui/primitives/cn";
import { compact } from "#lib/client/url-filter";
import { EVENT_FILTERS, EVENT_STATES, MORE_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";
import type { ConnectionName, MoreFiltersProps } from "./more-filter-fields.tsx";
import { rememberSearch } from "./recent-searches.tsx";

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

/** Shown, and removed, where they are set. */
const OWN_FIELDS = ["q", "type", "state"] as const;

export function FilterBar({ filter, onChange, types, sources, connections }: FilterBarProps) {
  const change = (part: EventFilter) => onChange(compact({ ...filter, ...part }));
  const choices = types.map(({ type, title }) => ({ value: type, label: title, ...(title !== type && { hint: type }) }));
  const options = {
    sources: sources.map((name) => ({ value: name, label: name })),
    connections: connections.map(({ id, name }) => ({ value: id, label: name })),
  };
  return (
    <FilterShell
      what="events"
      filters={EVENT_FILTERS}
      filter={filter}
      onChange={onChange}
      hidden={OWN_FIELDS}
      options={options}
      menus={
        <>
          <ColumnsMenu />
          <MoreFilters filter={filter} change={change} options={options} />
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
    </FilterShell>
  );
}

const SearchHelp = lazyComponent(() => import("./search-help.tsx").then((module) => module.SearchHelp), true);

type SearchBoxProps = { value: string; onChange: (q: string) => void; types: string[]; sources: string[] };

function SearchBox({ value, onChange, types, sources }: SearchBoxProps) {
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState(value);
  const box = useRef<HTMLDivElement>(null);
  const input = () => box.current?.querySelector("input");
  const search = (q: string) => {
    rememberSearch(q);
    onChange(q);
  };
  const choose = (text: string) => {
    setDraft(text);
    if (!text.endsWith(":")) {
      search(text);
      setOpen(false);
    } else onChange(text);
    input()?.focus();
  };
  const blur = ({ relatedTarget }: FocusEvent) => {
    if (box.current?.contains(relatedTarget as Node | null)) return;
    setOpen(false);
    rememberSearch(value);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === "Enter" && event.target === input()) setOpen(false);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event);
  };
  function step(event: KeyboardEvent) {
    const stops = [input(), ...(box.current?.querySelectorAll<HTMLElement>("[data-suggestion]") ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the field and the suggestions inside.
    <div ref={box} className="relative flex-1 basis-52 min-[700px]:max-w-96" onBlur={blur} onKeyDown={key} onFocus={() => setOpen(true)}>
      <DebouncedInput
        label="Search IDs and payloads"
        placeholder="Search by ID, text or field, e.g. data.status:failed"
        icon={<Search />}
        value={value}
        onChange={onChange}
        onDraft={setDraft}
      />
      {open ? <SearchHelp draft={draft} types={types} sources={sources} onChoose={choose} /> : null}
    </div>
  );
}

type Choice = { value: string; label: string; hint?: string };

type ChoiceFilterProps = { name: string; choices: Choice[]; chosen: readonly string[]; onChange: (chosen: string[]) => void };

function ChoiceFilter({ name, choices, chosen, onChange }: ChoiceFilterProps) {
  const known = new Set(choices.map(({ value }) => value));
  const all = [...choices, ...chosen.filter((value) => !known.has(value)).map((value): Choice => ({ value, label: value }))];
  const toggle = (value: string, on: boolean) => onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value));
  const words = chosen.length === 1 ? (all.find(({ value }) => value === chosen[0])?.label ?? "") : `${chosen.length} selected`;
  const trigger = (
    <Button className={cn("max-w-52 font-normal", chosen.length > 0 && "max-[560px]:max-w-40")}>
      <span className="truncate">
        <span className={chosen.length === 0 ? undefined : "text-muted max-[560px]:sr-only"}>{name}</span>
        {chosen.length === 0 ? null : <span className="ml-1.5 font-medium max-[560px]:ml-0">{words}</span>}
      </span>
      <ChevronDown className="text-faint" />
    </Button>
  );
  return (
    <div className="flex max-w-full">
      <Popover label={`Filter by ${name.toLowerCase()}`} trigger={trigger}>
        <div className="flex max-h-[min(440px,60vh)] flex-col gap-2 overflow-y-auto p-1">
          {all.map(({ value, label, hint }) => (
            <Checkbox key={value} checked={chosen.includes(value)} onCheckedChange={(on) => toggle(value, on)}>
              <span className="break-words">{label}</span>
              {hint === undefined ? null : <span className="block font-mono text-12 text-muted">{hint}</span>}
            </Checkbox>
          ))}
        </div>
      </Popover>
      {chosen.length === 0 ? null : (
        <Button variant="ghost" className="px-2" aria-label={`Remove filter ${name}: ${words}`} icon={<X />} onClick={() => onChange([])} />
      )}
    </div>
  );
}

const Fields = lazyComponent(() => import("./more-filter-fields.tsx").then((module) => module.MoreFilterFields));

function MoreFilters(props: MoreFiltersProps) {
  const inUse = MORE_FILTERS.filter((name) => props.filter[name] !== undefined).length;
  return (
    <Popover
      label="More filters"
      trigger={
        <Button className="font-normal" icon={<SlidersHorizontal className="text-faint" />}>
          More
          {inUse === 0 ? null : <span className="font-medium">{inUse}</span>}
        </Button>
      }
    >
      <Fields {...props} />
    </Popover>
  );
}

const ColumnsForm = lazyComponent(() => import("#components/events/list/payload-columns").then((module) => module.ColumnsForm));

function ColumnsMenu() {
  const trigger = (
    <Button className="font-normal max-rail:hidden" icon={<Columns3 />}>
      Columns
    </Button>
  );
  return (
    <Popover label="Columns" trigger={trigger} align="end">
      <ColumnsForm />
    </Popover>
  );
}
