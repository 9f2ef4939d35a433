"use client";

import type { PointerEvent } from "react";
import { useTickingWords } from "#components/ui/clock";
import { exactWords, relativeWords } from "#components/ui/time-words";

/**
 * A time as people say it, ticking: text alone. `titled` tells the exact time
 * on hover, where nothing else does; it is written when the pointer comes, since
 * wording it for every row of a list costs more than the row.
 */
export function TimeAgo({ at, titled = false, className }: { at: string; titled?: boolean; className?: string }) {
  const ms = Date.parse(at);
  const words = useTickingWords((now) => relativeWords(ms, now));
  if (Number.isNaN(ms)) return <span className={className}>{at}</span>;
  // The server's second is not the reader's: the browser has the last word.
  return (
    <time
      dateTime={at}
      suppressHydrationWarning
      className={className}
      {...(titled && {
        onPointerEnter: ({ currentTarget }: PointerEvent<HTMLElement>) => {
          currentTarget.title = exactWords(ms);
        },
      })}
    >
      {words}
    </time>
  );
}
