"use client";

import { Timer } from "lucide-react";
import { NothingYet } from "#components/ui/layout/empty-state";
import { Button } from "#components/ui/primitives/button";
import { ApiProblem } from "#lib/client/fetch/api-problem";
import { compact } from "#lib/client/url-filter";
import type { EventFilter } from "#lib/contracts/events/events";

/** True for a search that was stopped because it took too long. */
export const isTooSlow = (error: Error | null): boolean => error instanceof ApiProblem && error.code === "search_too_slow";

type SearchTimeoutProps = { filter: EventFilter; onChange: (filter: EventFilter) => void; words: string };

/** The search timed out: why, and shorter time ranges to search instead. */
export function SearchTimeout({ filter, onChange, words }: SearchTimeoutProps) {
  const within = (period: "24h" | "7d") => onChange(compact({ ...filter, from: undefined, to: undefined, period }));
  return (
    <NothingYet
      icon={<Timer aria-hidden />}
      title="This search took too long"
      actions={
        <>
          <Button variant="primary" onClick={() => within("24h")}>
            Search the last 24 hours
          </Button>
          <Button onClick={() => within("7d")}>Search the last 7 days</Button>
        </>
      }
    >
      {words}
    </NothingYet>
  );
}
