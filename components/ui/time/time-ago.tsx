"use client";

import type { PointerEvent } from "react";
import { cn } from "#components/ui/primitives/cn";
import { useTickingWords } from "./clock.tsx";
import { exactWords, relativeWords } from "./time-format.tsx";
import { useTimeZoneChoice } from "./time-zone.tsx";

/** `titled`: shows the exact time on hover. Set on hover, because formatting it for every row of a list costs more than the row. */
export function TimeAgo({ at, titled = false, className }: { at: string; titled?: boolean; className?: string }) {
  const ms = Date.parse(at);
  const choice = useTimeZoneChoice();
  const words = useTickingWords((now) => relativeWords(ms, now));
  if (Number.isNaN(ms)) return <span className={className}>{at}</span>;
  // Server and browser may render in different seconds: the browser's text wins.
  return (
    <time
      dateTime={at}
      suppressHydrationWarning
      // Above the link that covers the row; a click still opens the row.
      className={cn(titled && "relative z-1", className)}
      {...(titled && {
        onPointerEnter: ({ currentTarget }: PointerEvent<HTMLElement>) => {
          currentTarget.title = exactWords(ms, choice === "utc" ? "UTC" : undefined);
        },
      })}
    >
      {words}
    </time>
  );
}
