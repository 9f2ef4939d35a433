import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";

const annotationsContract = contract(() => import("#lib/contracts/events/annotations"));

const FRESH_MS = 60_000;

/** Returns events of the installation that may explain a change, over `bars` bars that begin with `first` and `second` (ISO 8601). */
export function annotationsQuery(first: string | undefined, second: string | undefined, bars: number) {
  const begin = Date.parse(first ?? "");
  const from = new Date(begin || 0).toISOString();
  const to = new Date(begin + (Date.parse(second ?? "") - begin) * bars || 0).toISOString();
  return queryOptions({
    queryKey: [...KEYS.eventVolume, "annotations", from, to] as const,
    queryFn: ({ signal }) =>
      apiFetch(annotationsContract("annotations"), `/api/v1/events/annotations?${new URLSearchParams({ from, to })}`, { signal }),
    enabled: first !== undefined && second !== undefined,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });
}
