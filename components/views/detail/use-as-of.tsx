"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** The moment in the page's address (`?asOf=`), null for now, and a way to write it there. */
export function useAsOf(): { asOf: string | null; setAsOf: (asOf: string | null) => void } {
  const path = usePathname();
  const params = useSearchParams();
  function setAsOf(asOf: string | null) {
    window.history.replaceState(null, "", asOf === null ? path : `${path}?${new URLSearchParams({ asOf })}`);
  }
  return { asOf: params.get("asOf") || null, setAsOf };
}
