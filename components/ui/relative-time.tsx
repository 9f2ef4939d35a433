import { CopyIcon } from "./copy-icon.tsx";
import { cn } from "./primitives/cn.tsx";
import { TimeAgo, type TimeProps } from "./ticking-time.tsx";
import { useExactWords } from "./time-format.tsx";

/** Shows the exact time on hover, and an icon that copies it as ISO 8601. A click on the time is the row's. In a link use `TimeAgo`. */
export function RelativeTime({ at, ahead = false, className }: TimeProps) {
  if (Number.isNaN(Date.parse(at))) return <span className={className}>{at}</span>;
  return (
    <span className={cn("group/time relative z-1 inline-block", className)}>
      <TimeAgo at={at} ahead={ahead} titled />
      {/* It takes no room: a time stands in prose, and at the end of a column. */}
      <CopyIcon
        value={at}
        className="absolute top-0 right-full h-full bg-surface px-0.5 group-hover/time:opacity-100 pointer-coarse:opacity-0"
      />
    </span>
  );
}

export function ExactTime({ at, className }: { at: string; className?: string }) {
  const exactWords = useExactWords();
  const ms = Date.parse(at);
  return (
    <time dateTime={at} className={cn("font-mono text-12", className)}>
      {Number.isNaN(ms) ? at : exactWords(ms)}
    </time>
  );
}
