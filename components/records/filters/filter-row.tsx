"use client";

import type { ReactNode } from "react";
import { SaveFilterButton } from "#components/records/saved-filters/save-filter-button";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";
import { FilterChips } from "./filter-chips.tsx";
import { FilterField, type FilterFieldProps } from "./filter-field.tsx";

type FilterRowProps<F extends Filters> = {
  /** Name of the filtered items, for screen readers: "issues". */
  what: string;
  filters: F;
  filter: FilterOf<F>;
  onChange: (filter: FilterOf<F>) => void;
  counts?: { [Name in keyof F]?: NonNullable<FilterFieldProps["counts"]> };
  /** Filters that make no sense on this page, for example of a kind that can't fail. */
  hidden?: readonly (keyof F)[];
  /** Beside the declared fields. */
  children?: ReactNode;
} & Pick<FilterFieldProps, "options">;

const WIDTHS = { text: "w-full max-w-80 max-rail:max-w-none", select: "w-auto min-w-40", buttons: "", switch: "" };

/** The fields of a list's declared filters in one row, and chips for those that links set. */
export function FilterRow<F extends Filters>({
  what,
  filters,
  filter,
  onChange,
  options,
  counts,
  hidden = [],
  children,
}: FilterRowProps<F>) {
  return (
    <search aria-label={`Filter ${what}`} className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {Object.entries(filters).map(([name, declared]) =>
        hidden.includes(name) ? null : (
          <FilterField
            key={name}
            filter={declared}
            chosen={filter[name]}
            className={declared.input ? WIDTHS[declared.input.as] : ""}
            onChange={(value) => onChange({ ...filter, [name]: value })}
            {...(options && { options })}
            {...(counts?.[name] && { counts: counts[name] })}
          />
        ),
      )}
      {children}
      <SaveFilterButton filters={filters} filter={filter} />
      <FilterChips filters={filters} filter={filter} onChange={onChange} />
    </search>
  );
}
