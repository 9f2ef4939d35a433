import { type PointerEvent, useSyncExternalStore } from "react";
import { cn } from "#components/ui/primitives/cn";
import { CopyIcon } from "./copy-icon.tsx";
import { aheadWords, exactWords, relativeWords, useExactWords, useTimeZoneChoice } from "./time-format.tsx";

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

export type TimeProps = {
  at: string;
  /** It is in the future when it is shown, and never reads as past. */
  ahead?: boolean;
  className?: string;
};

/** `titled`: shows the exact time on hover. Set on hover, because formatting it for every row of a list costs more than the row. */
export function TimeAgo({ at, ahead = false, titled = false }: Omit<TimeProps, "className"> & { titled?: boolean }) {
  const ms = Date.parse(at);
  const choice = useTimeZoneChoice();
  const words = useTickingWords((now) => (ahead ? aheadWords : relativeWords)(ms, now));
  if (Number.isNaN(ms)) return <span>{at}</span>;
  // Server and browser may render in different seconds: the browser's text wins.
  return (
    <time
      dateTime={at}
      data-ago
      suppressHydrationWarning
      // Above the link that covers the row; a click still opens the row.
      className={titled ? "relative z-1" : ""}
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

/** One timer for every ticking time on the page. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick() {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

const serverNow = () => Math.floor(Date.now() / 1000) * 1000;

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now, serverNow);
}

/** Re-renders only if the words change: a page has hundreds, and most change once a minute. `now` is in milliseconds. */
export function useTickingWords(words: (now: number) => string): string {
  return useSyncExternalStore(
    subscribe,
    () => words(now),
    () => words(serverNow()),
  );
}
