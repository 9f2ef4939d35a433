"use client";

import { Timer } from "lucide-react";
import { Button } from "#components/ui/button";
import { NothingYet } from "#components/ui/empty-state";
import { ApiProblem } from "#lib/client/api-problem";
import { compact } from "#lib/client/event-filter";
import type { EventFilter } from "#lib/contracts/events";

/** True for a search that was cut because it took too long. */
export const isTooSlow = (error: Error | null): boolean => error instanceof ApiProblem && error.code === "search_too_slow";

type SlowSearchProps = { filter: EventFilter; onChange: (filter: EventFilter) => void; words: string };

/** The search was cut: what it was, and the shorter ways. */
export function SlowSearch({ filter, onChange, words }: SlowSearchProps) {
  const within = (period: "24h" | "7d") => onChange(compact({ ...filter, from: undefined, to: undefined, period }));
  return (
    <NothingYet
      icon={<Timer aria-hidden />}
      title="This search takes too long"
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
