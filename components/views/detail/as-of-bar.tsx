"use client";

import { useId } from "react";
import { Banner } from "#components/ui/banner";
import { Button } from "#components/ui/button";
import { ExactTime } from "#components/ui/exact-time";
import { useExactWords } from "#components/ui/use-exact-words";
import { momentIndex, momentsOf } from "#components/views/detail/moments";
import type { EventSummary } from "#lib/contracts/events";

type AsOfBarProps = { events: EventSummary[]; asOf: string | null; onChange: (asOf: string | null) => void };

/** A slider over the times of a record's events; its right end is now. */
export function AsOfBar({ events, asOf, onChange }: AsOfBarProps) {
  const id = useId();
  const exactWords = useExactWords();
  const moments = momentsOf(events);
  const last = moments.length - 1;
  const index = momentIndex(moments, asOf);
  if (last < 1) return null;
  const at = asOf === null ? Number.NaN : Date.parse(asOf);
  const words = Number.isNaN(at) ? "Now" : exactWords(at);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-line bg-sunken px-3 py-2 text-13">
      <label htmlFor={id} className="font-medium">
        As of
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={last}
        step={1}
        value={index}
        aria-valuetext={words}
        onChange={(event) => {
          const next = Number(event.target.value);
          onChange(next === last ? null : (moments[next] ?? null));
        }}
        className="h-6 min-w-40 flex-1 cursor-pointer accent-accent"
      />
      <span className="min-w-56 text-right text-12 text-muted max-rail:min-w-0">
        {asOf === null ? `Now, after ${events.length} ${events.length === 1 ? "event" : "events"}` : <ExactTime at={asOf} />}
      </span>
    </div>
  );
}

/** Says that the page shows the past, and leads back. */
export function AsOfBanner({ asOf, onBack }: { asOf: string; onBack: () => void }) {
  return (
    <Banner
      tone="attention"
      action={
        <Button size="sm" onClick={onBack}>
          Back to now
        </Button>
      }
    >
      As of <ExactTime at={asOf} className="font-medium" />: as the events up to then make it. Later ones are left out.
    </Banner>
  );
}
