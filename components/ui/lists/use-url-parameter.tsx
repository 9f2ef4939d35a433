"use client";

import { usePageQuery } from "./use-page-query.tsx";

/** One parameter of the page's URL (`?tab=effects`), left out while it has its first value; Back undoes a change. */
export function useUrlParameter(name: string, first: string): [value: string, setValue: (value: string) => void] {
  const { path, query, go } = usePageQuery();
  const setValue = (value: string) => {
    const next = new URLSearchParams(query);
    if (value === first) next.delete(name);
    else next.set(name, value);
    go(next.size === 0 ? path : `${path}?${next}`);
  };
  return [query.get(name) ?? first, setValue];
}
