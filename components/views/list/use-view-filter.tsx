"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { filterFrom, type ViewFilter } from "#lib/client/view-keys";

/** The filter that stands in the page's address, and a way to write it there without a new request for the page. */
export function useViewFilter(): { filter: ViewFilter; setFilter: (filter: ViewFilter) => void } {
  const path = usePathname();
  const params = useSearchParams();
  function setFilter(filter: ViewFilter) {
    const text = new URLSearchParams(filter).toString();
    window.history.replaceState(null, "", text === "" ? path : `${path}?${text}`);
  }
  return { filter: filterFrom((name) => params.get(name)), setFilter };
}
