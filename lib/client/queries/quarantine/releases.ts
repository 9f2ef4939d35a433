import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import type { ReleasesBody, ReleasesResult } from "#lib/contracts/quarantine";

const operationsContract = contract(() => import("#lib/contracts/operations/operations"));
const quarantineContract = contract(() => import("#lib/contracts/quarantine"));

type Filter = ReleasesBody["filter"];
type Sums = Pick<ReleasesResult, "examined" | "verifying" | "stillQuarantined">;

/** How many of the quarantined requests that match can be released, counted page by page. */
export type Releasable = { counting: boolean; counted: Sums; error: Error | null };

const NONE: Sums = { examined: 0, verifying: 0, stillQuarantined: 0 };

/**
 * Counts the quarantined requests that would be released; releases nothing.
 *
 * @param active counting starts when this becomes true, and stops when it becomes false
 */
export function useReleasable(filter: Filter, active: boolean): { state: Releasable; retry: () => void } {
  const [state, setState] = useState<Releasable>({ counting: true, counted: NONE, error: null });
  const run = useRef<AbortController | null>(null);
  const filterText = JSON.stringify(filter);

  const count = useCallback(async () => {
    run.current?.abort();
    const own = new AbortController();
    run.current = own;
    setState({ counting: true, counted: NONE, error: null });
    try {
      for await (const counted of countPages(JSON.parse(filterText))) {
        if (own.signal.aborted) return;
        setState({ counting: true, counted, error: null });
      }
      setState((was) => (own.signal.aborted ? was : { ...was, counting: false }));
    } catch (error) {
      if (!own.signal.aborted) setState((was) => ({ ...was, error: error as Error }));
    }
  }, [filterText]);

  useEffect(() => {
    if (!active) return;
    void count();
    return () => run.current?.abort();
  }, [active, count]);

  return { state, retry: () => void count() };
}

/** The sums so far, after each call, until no page is left. */
async function* countPages(filter: Filter): AsyncGenerator<Sums> {
  let sums = NONE;
  let cursor: string | null = null;
  do {
    const body = { filter, dryRun: true, ...(cursor !== null && { cursor }) };
    const page: ReleasesResult = await apiSend(quarantineContract("releasesResult"), "POST", "/api/v1/quarantine/releases", body);
    sums = {
      examined: sums.examined + page.examined,
      verifying: sums.verifying + page.verifying,
      stillQuarantined: sums.stillQuarantined + page.stillQuarantined,
    };
    cursor = page.nextCursor;
    yield sums;
  } while (cursor !== null);
}

/** Has a worker release all that match. @returns the operation, to watch */
export function useStartRelease() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (filter: Filter) =>
      apiSend(operationsContract("operation"), "POST", "/api/v1/quarantine/releases", { filter, background: true }),
    onSettled: () => invalidate(queries, KEYS.operations),
  });
}
