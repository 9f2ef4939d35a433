import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { FilterField } from "#components/records/filters/filter-row";
import type { FilterOptions } from "#components/records/filters/filter-shell-props";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { eventFieldsQuery } from "#lib/client/queries/event-fields";
import { EVENT_FILTERS, MORE_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";

export type ConnectionName = { id: string; name: string };

export type MoreFiltersProps = { filter: EventFilter; change: (part: EventFilter) => void; options: FilterOptions };

export function MoreFilterFields({ filter, change, options }: MoreFiltersProps) {
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
      <PayloadFilter key={filter.q} q={filter.q ?? ""} onChange={(q) => change({ q })} />
    </div>
  );
}

/** Returns the search term for a field's value; a quote in the value would end it. */
const termOf = (path: string, value: string) => `${path}:${/^[^\s"]+$/.test(value) ? value : `"${value.replaceAll('"', " ")}"`}`;

function PayloadFilter({ q, onChange }: { q: string; onChange: (q: string) => void }) {
  const { data = [] } = useQuery(eventFieldsQuery);
  const [path, setPath] = useState("");
  const [value, setValue] = useState("");
  const values = data.find((field) => field.path === path)?.values ?? [];
  const add = () => onChange(`${q} ${termOf(path, value.trim())}`.trim());
  if (data.length === 0) return null;
  return (
    <form
      aria-label="Payload field"
      className="flex flex-col gap-2 border-line border-t pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Select
        label="Payload field"
        placeholder="Payload field"
        value={path}
        onValueChange={(next) => {
          setPath(next);
          setValue("");
        }}
        options={data.map((field) => ({ value: field.path, label: field.path }))}
      />
      {path === "" ? null : (
        <>
          {values.length > 0 ? (
            <Select
              label="Value"
              placeholder="Value"
              value={value}
              onValueChange={setValue}
              options={values.map((each) => ({ value: each, label: each }))}
            />
          ) : (
            <Input aria-label="Value" placeholder="Value, e.g. acme*" value={value} onChange={({ target }) => setValue(target.value)} />
          )}
          <Button type="submit" size="sm" disabled={value.trim() === ""}>
            Add to search
          </Button>
        </>
      )}
    </form>
  );
}
