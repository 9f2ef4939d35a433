"use client";

import { usePageQuery } from "#components/ui/lists/use-page-query";
import { compact, filterHref, readFilter, stepOf } from "#lib/client/url-filter";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";

/** Returns the URL's filter and a setter that doesn't request the page; Back undoes it. Other parameters, such as the order, stay. */
export function useUrlFilter<F extends Filters>(filters: F): { filter: FilterOf<F>; setFilter: (filter: FilterOf<F>) => void } {
  const { path, query, go } = usePageQuery();
  const filter = readFilter(filters, query);
  const others = Object.fromEntries([...query].filter(([name]) => !(name in filters)));
  const setFilter = (next: FilterOf<F>) => go(filterHref(path, filters, compact(next), others), stepOf(filters, filter, next));
  return { filter, setFilter };
}
