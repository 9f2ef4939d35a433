"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { goTo } from "#lib/client/history";
import { changesTextAlone, compact, filterHref, readFilter } from "#lib/client/url-filter";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";

/** The filter in the page's URL, and a setter that does not request the page again; Back undoes what it sets. */
export function useUrlFilter<F extends Filters>(filters: F): { filter: FilterOf<F>; setFilter: (filter: FilterOf<F>) => void } {
  const path = usePathname();
  const params = useSearchParams();
  const filter = readFilter(filters, new URLSearchParams(params.toString()));
  const setFilter = (next: FilterOf<F>) => goTo(filterHref(path, filters, compact(next)), changesTextAlone(filters, filter, next));
  return { filter, setFilter };
}
