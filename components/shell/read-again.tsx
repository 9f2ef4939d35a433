"use client";

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLatest } from "#components/ui/lists/use-latest";
import { hasChangedSince } from "#lib/client/fetch/last-change";

/**
 * A page that was fetched ahead, or is kept from the visit before, is shown as it was read. What has changed since is
 * fetched again at once. Stands after the page's content, whose queries are watched by then.
 *
 * @param at when the server read it, milliseconds since 1970
 */
export function ReadAgain({ keys, at }: { keys: readonly QueryKey[]; at: number }) {
  const queries = useQueryClient();
  const latest = useLatest({ keys, at });
  useEffect(() => {
    if (!hasChangedSince(latest.current.at)) return;
    for (const queryKey of latest.current.keys) void queries.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
  }, [queries, latest]);
  return null;
}
