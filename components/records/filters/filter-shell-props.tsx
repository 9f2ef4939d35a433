import type { ReactNode } from "react";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";

/** Parameters of pages with a filter that are none: order and grouping, the open event, a moment, a chart's range. */
export const PAGE_PARAMETERS = new Set(["order", "sort", "group", "event", "tab", "asOf", "since", "range", "all"]);

export type FilterOptions = Record<string, readonly { value: string; label: string }[]>;

export type FilterShellProps<F extends Filters> = {
  what: string;
  filters: F;
  filter: FilterOf<F>;
  onChange: (filter: FilterOf<F>) => void;
  /** Filters without a chip: always set, or with a field in `children` that shows and removes them. */
  hidden?: readonly (keyof F)[];
  /** Options from the page, by the name under which a filter asks for them. */
  options?: FilterOptions;
  children?: ReactNode;
  menus?: ReactNode;
};
