"use client";

import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button";
import { Checkbox } from "#components/ui/checkbox";
import { Input } from "#components/ui/input";
import { shortId } from "#components/ui/resource-id";
import { Select } from "#components/ui/select";
import { KIND_WORDS, stateWord } from "#components/views/view-words";
import type { ViewFilter } from "#lib/client/view-keys";
import type { ViewKind } from "#lib/contracts/views";

const ANY = "any state";
const TYPING_PAUSE_MS = 250;

/** The kinds that a failure can be the last word of. */
const FAILING = new Set<ViewKind>(["document", "automation", "run", "integration"]);

const CHIPS: [keyof ViewFilter, (value: string) => string][] = [
  ["parent", (value) => `Of ${shortId(value)}`],
  ["stage", (value) => `On ${value}`],
  ["assignee", (value) => `With ${value}`],
  ["inWork", (value) => (value === "true" ? "In work" : "Completed")],
];

type ViewFiltersProps = { kind: ViewKind; filter: ViewFilter; onChange: (filter: ViewFilter) => void };

/** One row: search, state, failures, and what else a link brought. */
export function ViewFilters({ kind, filter, onChange }: ViewFiltersProps) {
  const { many, states } = KIND_WORDS[kind];
  const known = filter.state !== undefined && !states.includes(filter.state) ? [...states, filter.state] : states;
  const { state: _, ...stateless } = filter;
  const { failed: __, ...failless } = filter;
  return (
    <search aria-label={`Filter ${many}`} className="flex flex-wrap items-center gap-2">
      <SearchBox many={many} filter={filter} onChange={onChange} />
      {known.length === 0 ? null : (
        <Select
          label="State"
          className="w-40"
          value={filter.state ?? ANY}
          onValueChange={(value) => onChange(value === ANY ? stateless : { ...filter, state: value })}
          options={[{ value: ANY, label: "Any state" }, ...known.map((value) => ({ value, label: stateWord(value) }))]}
        />
      )}
      {FAILING.has(kind) ? (
        <Checkbox
          checked={filter.failed === "true"}
          onCheckedChange={(checked) => onChange(checked === true ? { ...filter, failed: "true" } : failless)}
        >
          Failed only
        </Checkbox>
      ) : null}
      <FilterChips filter={filter} onChange={onChange} />
    </search>
  );
}

/** What a link narrowed the list to: each chip takes its part away. */
function FilterChips({ filter, onChange }: Pick<ViewFiltersProps, "filter" | "onChange">) {
  return CHIPS.map(([name, words]) => {
    const value = filter[name];
    if (value === undefined) return null;
    const { [name]: _, ...rest } = filter;
    const text = words(value);
    return (
      <Button key={name} icon={<X aria-hidden />} aria-label={`Remove the filter ${text}`} onClick={() => onChange(rest)}>
        <span className="max-w-60 truncate text-12">{text}</span>
      </Button>
    );
  });
}

function SearchBox({ many, filter, onChange }: { many: string; filter: ViewFilter; onChange: (filter: ViewFilter) => void }) {
  const [text, setText] = useState(filter.q ?? "");
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const written = useRef(filter.q ?? "");
  // The address may change without typing ("Clear filters", back and forward).
  useEffect(() => {
    if ((filter.q ?? "") === written.current) return;
    written.current = filter.q ?? "";
    setText(written.current);
  }, [filter.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  function search(next: string) {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const { q: _, ...rest } = filter;
      written.current = next.trim();
      onChange(written.current === "" ? rest : { ...rest, q: written.current });
    }, TYPING_PAUSE_MS);
  }
  return (
    <div className="w-full max-w-80 max-rail:max-w-none">
      <Input
        type="search"
        icon={<Search aria-hidden />}
        aria-label={`Search ${many} by name or id`}
        placeholder="Name or id"
        maxLength={200}
        value={text}
        onChange={(event) => search(event.target.value)}
      />
    </div>
  );
}
