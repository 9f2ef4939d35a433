"use client";

import { usePageQuery } from "#components/ui/lists/use-page-query";

/** The times in a page's URL: what it shows (`?asOf=`, null for latest) and what that is compared with (`&since=`, null for nothing). */
export type Moments = { asOf: string | null; since: string | null };

/** Reads and writes the times in the URL, whose other parameters stay; an invalid time counts as none. Sliding is one step of the history. */
export function useMoment(): Moments & { setMoments: (moments: Moments) => void } {
  const { query, change } = usePageQuery();
  return { asOf: readable(query.get("asOf")), since: readable(query.get("since")), setMoments: (moments) => change(moments, "part") };
}

const readable = (text: string | null) => (text === null || Number.isNaN(Date.parse(text)) ? null : text);
