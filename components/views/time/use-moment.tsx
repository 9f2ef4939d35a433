"use client";

import { usePageQuery } from "#components/ui/lists/use-page-query";

/** The times in a page's URL: what it shows (`?asOf=`, null for latest) and what that is compared with (`&since=`, null for nothing). */
export type Moments = { asOf: string | null; since: string | null };

/** Reads and writes the times in the URL, whose other parameters stay; an invalid time counts as none. Sliding is one step of the history. */
export function useMoment(): Moments & { setMoments: (moments: Moments) => void } {
  const { path, query, go } = usePageQuery();
  function setMoments({ asOf, since }: Moments) {
    const next = new URLSearchParams(query);
    for (const [name, at] of Object.entries({ asOf, since })) {
      if (at === null) next.delete(name);
      else next.set(name, at);
    }
    go(next.size === 0 ? path : `${path}?${next}`, "part");
  }
  return { asOf: readable(query.get("asOf")), since: readable(query.get("since")), setMoments };
}

const readable = (text: string | null) => (text === null || Number.isNaN(Date.parse(text)) ? null : text);
