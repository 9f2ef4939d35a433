"use client";

import { cn } from "#components/ui/cn";
import { TimeAgo } from "#components/ui/time-ago";
import { Tooltip } from "#components/ui/tooltip";
import { useCopy } from "#components/ui/use-copy";
import { useExactWords } from "#components/ui/use-exact-words";

/**
 * A time as people say it, ticking; the exact time with its zone on hover and
 * focus; copied as ISO 8601 by a click. Inside a link stands `TimeAgo`.
 */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const exactWords = useExactWords();
  const { copied, copy } = useCopy();
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return <span className={className}>{at}</span>;
  return (
    <Tooltip content={copied ? "Copied" : `${exactWords(ms)} · click to copy`}>
      <button type="button" onClick={() => copy(at)} className={cn("relative z-1 rounded-sm text-left hover:text-text", className)}>
        <TimeAgo at={at} />
      </button>
    </Tooltip>
  );
}
