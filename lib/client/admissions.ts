import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { type AdmissionsBody, type AdmissionsResult, admissionsResult } from "#lib/contracts/quarantine";
import { apiSend } from "./fetcher.ts";

type Sums = Omit<AdmissionsResult, "nextCursor" | "dryRun">;

/** How far re-verifying has come. `counted`: the first pass is through, and nothing was admitted yet. */
export type Admissions = { phase: "counting" | "counted" | "admitting" | "done"; counted: Sums; done: Sums; error: Error | null };

const NONE: Sums = { examined: 0, verifying: 0, stillRefused: 0, admitted: 0, repeated: 0, failed: 0 };
const START: Admissions = { phase: "counting", counted: NONE, done: NONE, error: null };

const add = (a: Sums, b: Sums): Sums => ({
  examined: a.examined + b.examined,
  verifying: a.verifying + b.verifying,
  stillRefused: a.stillRefused + b.stillRefused,
  admitted: a.admitted + b.admitted,
  repeated: a.repeated + b.repeated,
  failed: a.failed + b.failed,
});

/**
 * Re-verifies all refused requests that match: first only counts, then admits
 * when told to. Each call is bounded; what was admitted stays so when the page
 * is left in between.
 *
 * @param active counting begins when this becomes true, and all stops when it ends
 */
export function useAdmissions(
  filter: AdmissionsBody["filter"],
  active: boolean,
): { state: Admissions; admit: () => void; retry: () => void } {
  const queries = useQueryClient();
  const [state, setState] = useState(START);
  const run = useRef<AbortController | null>(null);
  const filterText = JSON.stringify(filter);

  const go = useCallback(
    async (dryRun: boolean) => {
      run.current?.abort();
      const own = new AbortController();
      run.current = own;
      const which = dryRun ? "counted" : "done";
      setState((was) => ({ ...was, phase: dryRun ? "counting" : "admitting", [which]: NONE, error: null }));
      try {
        for await (const sums of admissions(JSON.parse(filterText), dryRun)) {
          if (own.signal.aborted) return;
          setState((was) => ({ ...was, [which]: sums }));
        }
        if (!own.signal.aborted) setState((was) => ({ ...was, phase: dryRun ? "counted" : "done" }));
      } catch (error) {
        if (!own.signal.aborted) setState((was) => ({ ...was, error: error as Error }));
      } finally {
        if (!dryRun) {
          for (const key of ["quarantine", "quarantine-entry", "events", "overview", "counts"]) {
            void queries.invalidateQueries({ queryKey: [key] });
          }
        }
      }
    },
    [filterText, queries],
  );

  useEffect(() => {
    if (!active) return;
    void go(true);
    return () => run.current?.abort();
  }, [active, go]);

  return { state, admit: () => void go(false), retry: () => void go(true) };
}

/** The sums so far, after each call, until nothing is left. */
async function* admissions(filter: AdmissionsBody["filter"], dryRun: boolean): AsyncGenerator<Sums> {
  let sums = NONE;
  let cursor: string | null = null;
  do {
    const result: AdmissionsResult = await apiSend(admissionsResult, "POST", "/api/v1/quarantine/admissions", {
      filter,
      dryRun,
      ...(cursor !== null && { cursor }),
    });
    sums = add(sums, result);
    cursor = result.nextCursor;
    yield sums;
  } while (cursor !== null);
}
