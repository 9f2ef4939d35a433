import { useCallback, useEffect, useRef, useState } from "react";
import type { ReleasesBody, ReleasesResult } from "#lib/contracts/quarantine";
import { call, changing, useChange } from "./api.ts";
import { KEYS } from "./keys.ts";
import { sourcesQuery } from "./settings.ts";

/** Requests that a dry run counts: with `accept`, as if that retired secret were accepted. */
export type Counted = { filter: ReleasesBody["filter"]; late?: boolean; accept?: string };
type Sums = Pick<ReleasesResult, "examined" | "verifying" | "stillQuarantined">;

export type Releasable = { counting: boolean; counted: Sums; error: Error | null };

const NONE: Sums = { examined: 0, verifying: 0, stillQuarantined: 0 };

/** Counts the requests that would be released, page by page; releases nothing. Runs while `active`. */
export function useReleasable(counted: Counted, active: boolean): { state: Releasable; retry: () => void } {
  const [state, setState] = useState<Releasable>({ counting: true, counted: NONE, error: null });
  const run = useRef<AbortController | null>(null);
  const wanted = JSON.stringify(counted);

  const count = useCallback(async () => {
    run.current?.abort();
    const own = new AbortController();
    run.current = own;
    setState({ counting: true, counted: NONE, error: null });
    try {
      for await (const sums of countPages(JSON.parse(wanted))) {
        if (own.signal.aborted) return;
        setState({ counting: true, counted: sums, error: null });
      }
      setState((was) => (own.signal.aborted ? was : { ...was, counting: false }));
    } catch (error) {
      if (!own.signal.aborted) setState((was) => ({ ...was, error: error as Error }));
    }
  }, [wanted]);

  useEffect(() => {
    if (!active) return;
    void count();
    return () => run.current?.abort();
  }, [active, count]);

  return { state, retry: () => void count() };
}

async function* countPages(counted: Counted): AsyncGenerator<Sums> {
  let sums = NONE;
  let cursor: string | null = null;
  do {
    const body = { ...counted, dryRun: true, ...(cursor !== null && { cursor }) };
    const page: ReleasesResult = await call("POST /api/v1/quarantine/releases 200", { body });
    sums = {
      examined: sums.examined + page.examined,
      verifying: sums.verifying + page.verifying,
      stillQuarantined: sums.stillQuarantined + page.stillQuarantined,
    };
    cursor = page.nextCursor;
    yield sums;
  } while (cursor !== null);
}

export const useStartRelease = () =>
  useChange(
    (wanted: Pick<Counted, "filter" | "late">) => call("POST /api/v1/quarantine/releases 202", { body: { ...wanted, background: true } }),
    [KEYS.operations],
  );

/** Accepts a retired secret again and releases requests signed with it, or ends that (`hours: 0`). */
export const useAcceptAgain = changing("POST /api/v1/sources/{id}/accept-again", [KEYS.operations, sourcesQuery.queryKey]);
