"use client";

import { cn } from "#components/ui/primitives/cn";
import { useTimeZone } from "#components/ui/time/time-zone";
import { timeTicks } from "./time-ticks.tsx";

/** A share of the width: a label closer to an end would reach beyond it. */
const EDGE = 0.03;

export function ChartTimeAxis({ from, lasts }: { from: number; lasts: number }) {
  const ticks = timeTicks(from, lasts, useTimeZone())
    .map(({ at, label }) => ({ at, label, place: (at - from) / lasts }))
    .filter(({ place }) => place > EDGE && place < 1 - EDGE);
  return (
    <div aria-hidden className="@container relative h-5 text-12 text-faint leading-3 tabular-nums">
      {ticks.map(({ at, label, place }, index) => (
        <span
          key={at}
          data-time-tick
          className={cn(
            "absolute top-0 flex -translate-x-1/2 flex-col items-center gap-0.5 whitespace-nowrap before:h-1 before:border-line-strong before:border-l",
            index % 2 === 1 && "hidden @[460px]:flex",
          )}
          style={{ left: `${place * 100}%` }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}
