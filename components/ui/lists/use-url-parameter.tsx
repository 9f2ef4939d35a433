"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { goTo } from "#lib/client/history";

/** One parameter of the page's URL (`?tab=effects`), left out while it has its first value; Back undoes a change. */
export function useUrlParameter(name: string, first: string): [value: string, setValue: (value: string) => void] {
  const path = usePathname();
  const params = useSearchParams();
  const setValue = (value: string) => {
    const next = new URLSearchParams(params);
    if (value === first) next.delete(name);
    else next.set(name, value);
    goTo(next.size === 0 ? path : `${path}?${next}`);
  };
  return [params.get(name) ?? first, setValue];
}
