"use client";

import type { ReactNode } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { compact, filterHref, readFilter } from "#lib/client/url-filter";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";
import { FilterChips } from "./filter-chips.tsx";
import type { Period } from "./period.tsx";
import { PeriodFilter } from "./period-filter.tsx";

/** Most lists are opened without a filter. Its room is kept until it is there: a process's first page sends it after the rest. */
const FilterActions = lazyComponent(() => import("./filter-actions.tsx").then((module) => module.FilterActions), true);

export type FilterShellProps<F extends Filters> = {
  /** Name of the filtered items, for screen readers: "issues". */
  what: string;
  filters: F;
  filter: FilterOf<F>;
  onChange: (filter: FilterOf<F>) => void;
  /** Filters that this page has no chip for: of a kind that can't fail, or with a field of their own in `children`. */
  hidden?: readonly (keyof F)[];
  /** The fields. */
  children?: ReactNode;
  /** Menus after the fields. */
  menus?: ReactNode;
};

/** The row of filters of every list: its fields, the time range, menus, chips for filters that links set, saving and clearing. */
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
