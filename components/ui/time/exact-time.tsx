"use client";

import { cn } from "#components/ui/primitives/cn";
import { useExactWords } from "./time-format.tsx";

export function ExactTime({ at, className }: { at: string; className?: string }) {
  const exactWords = useExactWords();
  const ms = Date.parse(at);
  return (
    <time dateTime={at} className={cn("font-mono text-12", className)}>
      {Number.isNaN(ms) ? at : exactWords(ms)}
    </time>
  );
}
