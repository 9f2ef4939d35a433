"use client";

import { FilterRow } from "#components/records/filters/filter-row";
import { KIND_WORDS, stateWord } from "#components/views/view-labels";
import { VIEW_FILTERS, type ViewFilter } from "#lib/contracts/filters/view-filters";
import type { ViewKind } from "#lib/contracts/views";

/** Kinds whose latest state can be a failure. */
const FAILING = new Set<ViewKind>(["document", "automation", "run", "integration"]);

type ViewFiltersProps = { kind: ViewKind; filter: ViewFilter; onChange: (filter: ViewFilter) => void };

export function ViewFilters({ kind, filter, onChange }: ViewFiltersProps) {
  const { many, states } = KIND_WORDS[kind];
  const hidden = [...(FAILING.has(kind) ? [] : (["failed"] as const)), ...(states.length > 0 ? [] : (["state"] as const))];
  const options = { states: states.map((value) => ({ value, label: stateWord(value) })) };
  return <FilterRow what={many} filters={VIEW_FILTERS} filter={filter} onChange={onChange} options={options} hidden={hidden} />;
}
