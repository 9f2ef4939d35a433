"use client";

import { useTickingWords } from "#components/ui/clock";
import { cn } from "#components/ui/cn";
import { relativeWords } from "#components/ui/time-words";
import { Tooltip } from "#components/ui/tooltip";
import { useCopy } from "#components/ui/use-copy";
import { useExactWords } from "#components/ui/use-exact-words";

/**
 * A time as people say it, ticking; the exact time with its zone on hover and
 * focus; copied as ISO 8601 by a click. `inert` where it stands inside a link.
 */
export function RelativeTime({ at, inert = false, className }: { at: string; inert?: boolean; className?: string }) {
  const ms = Date.parse(at);
  const words = useTickingWords((now) => relativeWords(ms, now));
  const exactWords = useExactWords();
  const { copied, copy } = useCopy();
  if (Number.isNaN(ms)) return <span className={className}>{at}</span>;
  // The server's second is not the reader's: the browser has the last word.
  const time = (
    <time dateTime={at} suppressHydrationWarning>
      {words}
    </time>
  );
  if (inert) {
    return (
      <span title={exactWords(ms)} className={className}>
        {time}
      </span>
    );
  }
  return (
    <Tooltip content={copied ? "Copied" : `${exactWords(ms)} · click to copy`}>
      <button type="button" onClick={() => copy(at)} className={cn("relative z-1 rounded-sm text-left hover:text-text", className)}>
        {time}
      </button>
    </Tooltip>
  );
}
