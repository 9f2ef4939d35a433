"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** The moments in a page's address: what it shows (`?asOf=`, null for now) and what that is compared with (`&since=`, null for nothing). */
export type Moments = { asOf: string | null; since: string | null };

/** Reads the moments from the address, and writes them there; a moment that can't be read counts as none. */
export function useMoment(): Moments & { setMoments: (moments: Moments) => void } {
  const path = usePathname();
  const params = useSearchParams();
  function setMoments({ asOf, since }: Moments) {
    const query = new URLSearchParams({ ...(asOf === null ? {} : { asOf }), ...(since === null ? {} : { since }) }).toString();
    window.history.replaceState(null, "", query === "" ? path : `${path}?${query}`);
  }
  return { asOf: readable(params.get("asOf")), since: readable(params.get("since")), setMoments };
}

const readable = (text: string | null) => (text === null || Number.isNaN(Date.parse(text)) ? null : text);
