import { cn } from "#components/ui/primitives/cn";
import { cappedNumber } from "#lib/contracts/counts/format-count";

/** Shows a count; the API caps counts at 1,001, shown as "1,000+". */
export function Count({ value, tone = "neutral", className }: { value: number; tone?: "neutral" | "failed"; className?: string }) {
  const look = tone === "failed" ? "bg-failed-surface text-failed" : "bg-hover text-muted";
  return <span className={cn("rounded-sm px-1 text-12 tabular-nums", look, className)}>{cappedNumber(value)}</span>;
}
