"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { goTo } from "#lib/client/history";

/** The times in a page's URL: what it shows (`?asOf=`, null for latest) and what that is compared with (`&since=`, null for nothing). */
export type Moments = { asOf: string | null; since: string | null };

/** Reads and writes the times in the URL; an invalid time counts as none. Sliding is one step of the history. */
export function useMoment(): Moments & { setMoments: (moments: Moments) => void } {
  const path = usePathname();
  const params = useSearchParams();
  function setMoments({ asOf, since }: Moments) {
    const query = new URLSearchParams({ ...(asOf === null ? {} : { asOf }), ...(since === null ? {} : { since }) }).toString();
    goTo(query === "" ? path : `${path}?${query}`, true);
  }
  return { asOf: readable(params.get("asOf")), since: readable(params.get("since")), setMoments };
}

const readable = (text: string | null) => (text === null || Number.isNaN(Date.parse(text)) ? null : text);
