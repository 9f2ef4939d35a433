"use client";

import type { ReactNode } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { compact, filterHref, readFilter } from "#lib/client/url-filter";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";
import { FilterChips } from "./filter-chips.tsx";
import type { Period } from "./period.tsx";
import { PeriodFilter } from "./period-filter.tsx";

/** Loaded when a filter is set; most lists open without one. Its space is reserved, so that nothing moves. */
const FilterActions = lazyComponent(() => import("./filter-actions.tsx").then((module) => module.FilterActions), true);

export type FilterShellProps<F extends Filters> = {
  what: string;
  filters: F;
  filter: FilterOf<F>;
  onChange: (filter: FilterOf<F>) => void;
  /** Filters without a chip: always set, or with a field of their own in `children`. */
  hidden?: readonly (keyof F)[];
  children?: ReactNode;
  menus?: ReactNode;
};

export function FilterShell<F extends Filters>({ what, filters, filter, onChange, hidden = [], children, menus }: FilterShellProps<F>) {
  const fallback = readFilter(filters, new URLSearchParams());
  const href = filterHref("", filters, filter);
  const changed = href !== filterHref("", filters, fallback);
  return (
    <search
      aria-label={`Filter ${what}`}
      onPointerEnter={FilterActions.preload}
      onFocus={FilterActions.preload}
      className="flex flex-wrap items-center gap-2"
    >
      {children}
      {"from" in filters ? (
        <PeriodFilter
          filter={filter as Period}
          moving={"period" in filters}
          onChange={(period) => onChange(compact({ ...filter, ...period }))}
        />
      ) : null}
      {menus}
      <FilterChips filters={filters} filter={filter} hidden={hidden} onChange={onChange} />
      {changed ? (
        <div className="flex min-h-8 min-w-48 flex-wrap items-center gap-2">
          <FilterActions href={href} onClear={() => onChange(fallback)} />
        </div>
      ) : null}
    </search>
  );
}
