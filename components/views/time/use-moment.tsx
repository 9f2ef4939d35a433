"use client";

import { usePageQuery } from "#components/ui/lists/use-page-query";

/** `asOf` null: the latest state; `since` null: no comparison. */
export type Moments = { asOf: string | null; since: string | null };

/** Keeps `?asOf=` and `&since=` in the URL; an invalid time counts as none. Sliding is one step of the history. */
export function useMoment(): Moments & { setMoments: (moments: Moments) => void } {
  const { query, change } = usePageQuery();
  return { asOf: readable(query.get("asOf")), since: readable(query.get("since")), setMoments: (moments) => change(moments, "part") };
}

const readable = (text: string | null) => (text === null || Number.isNaN(Date.parse(text)) ? null : text);
