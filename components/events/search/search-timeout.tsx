"use client";

import { Timer } from "lucide-react";
import { NothingYet } from "#components/ui/layout/empty-state";
import { Button } from "#components/ui/primitives/button";
import { compact } from "#lib/client/url-filter";
import type { EventFilter } from "#lib/contracts/events/events";

type SearchTimeoutProps = { filter: EventFilter; onChange: (filter: EventFilter) => void; words: string };

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
