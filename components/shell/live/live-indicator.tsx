"use client";

import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Popover } from "#components/ui/overlay/popover";
import { cn } from "#components/ui/primitives/cn";
import { useNow } from "#components/ui/time/clock";
import { durationWords } from "#components/ui/time/time-format";
import { type LiveStatus, useLive } from "./live-provider.tsx";
import { reachWord, useReach } from "./reach.tsx";

const LivePanel = lazyComponent(() => import("./live-panel.tsx").then((module) => module.LivePanel));

const LOOKS: Record<LiveStatus, { word: string; dot: string }> = {
  connecting: { word: "Connecting", dot: "bg-working-mark" },
  live: { word: "Live", dot: "bg-fine-mark" },
  reconnecting: { word: "Reconnecting", dot: "bg-attention-mark" },
  paused: { word: "Paused", dot: "bg-line-control" },
};

export function LiveIndicator() {
  const live = useLive();
  const { status, since, lastEventAt, delaySeconds } = live;
  const now = useNow();
  const reach = useReach();
  const failing = reachWord(reach);
  const word = failing ?? LOOKS[status].word;
  const late = failing !== null || status === "reconnecting" || status === "paused";
  const delayed = failing === null && status === "live" && delaySeconds > 0;
  const attention = failing !== null || delayed || status === "reconnecting";
  const aside = delayed
    ? `delayed ${durationWords(delaySeconds * 1000)}`
    : late
      ? `for ${durationWords(Math.max(1000, now - (failing === null ? since : reach.since)))}`
      : lastEventAt === null || status === "connecting"
        ? null
        : `last event ${durationWords(Math.max(1000, now - Date.parse(lastEventAt)))} ago`;
  return (
    <Popover
      label="Live feed"
      align="end"
      trigger={
        // A fixed width, so that nothing next to it moves when the text changes.
        <button
          type="button"
          className="flex h-8 min-w-14 items-center gap-2 rounded-md px-2 text-12 text-muted hover:bg-hover hover:text-text rail:w-52"
        >
          <span
            aria-hidden
            className={cn("size-2 shrink-0 rounded-full", attention ? `rounded-sm ${LOOKS.reconnecting.dot}` : LOOKS[status].dot)}
          />
          <span className={cn(late && "font-medium text-text", failing === null && status === "connecting" && "max-rail:sr-only")}>
            {word}
          </span>
          {aside === null ? null : (
            <span className="truncate text-faint tabular-nums max-rail:hidden" suppressHydrationWarning>
              {aside}
            </span>
          )}
        </button>
      }
    >
      <LivePanel live={live} now={now} failing={failing !== null} delayed={delayed} />
    </Popover>
  );
}
