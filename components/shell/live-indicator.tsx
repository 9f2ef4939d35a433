"use client";

import { Pause, Play } from "lucide-react";
import { type LiveStatus, useLive } from "#components/shell/live-provider";
import { Button } from "#components/ui/button";
import { useNow } from "#components/ui/clock";
import { cn } from "#components/ui/cn";
import { Popover } from "#components/ui/popover";
import { durationWords } from "#components/ui/time-words";

const LOOKS: Record<LiveStatus, { word: string; dot: string }> = {
  connecting: { word: "Connecting", dot: "bg-working-mark" },
  live: { word: "Live", dot: "bg-fine-mark" },
  reconnecting: { word: "Reconnecting", dot: "bg-attention-mark" },
  paused: { word: "Paused", dot: "bg-line-control" },
};

/** Whether what is on the screen is the present: live, reconnecting (since), paused, and the age of the last event. */
export function LiveIndicator() {
  const { status, since, lastEventAt, paused, setPaused } = useLive();
  const now = useNow();
  const { word, dot } = LOOKS[status];
  const late = status === "reconnecting" || status === "paused";
  const aside = late
    ? `for ${durationWords(Math.max(1000, now - since))}`
    : lastEventAt === null || status === "connecting"
      ? null
      : `last event ${durationWords(Math.max(1000, now - Date.parse(lastEventAt)))} ago`;
  return (
    <Popover
      label="Live feed"
      align="end"
      trigger={
        // Its room stays the same whatever it says, so that nothing beside it moves.
        <button
          type="button"
          className="flex h-8 min-w-14 items-center gap-2 rounded-md px-2 text-12 text-muted hover:bg-hover hover:text-text rail:w-52"
        >
          <span aria-hidden className={cn("size-2 shrink-0 rounded-full", dot, status === "reconnecting" && "rounded-sm")} />
          <span className={cn(late && "font-medium text-text", status === "connecting" && "max-rail:sr-only")}>{word}</span>
          {aside === null ? null : (
            <span className="truncate text-faint tabular-nums max-rail:hidden" suppressHydrationWarning>
              {aside}
            </span>
          )}
        </button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-13">{sentence(status)}</p>
        <p className="text-12 text-muted">
          {lastEventAt === null
            ? "No event has come in yet."
            : `The last event came in ${durationWords(Math.max(1000, now - Date.parse(lastEventAt)))} ago.`}
        </p>
        <Button size="sm" icon={paused ? <Play aria-hidden /> : <Pause aria-hidden />} onClick={() => setPaused(!paused)}>
          {paused ? "Resume the feed" : "Pause the feed"}
        </Button>
      </div>
    </Popover>
  );
}

function sentence(status: LiveStatus): string {
  if (status === "live") return "Pages change as events come in.";
  if (status === "paused") return "Pages stay as they are. On resuming, everything that was missed follows.";
  if (status === "connecting") return "Opening the live feed.";
  return "The line to Signalbox broke. Trying again; nothing is lost, what was missed follows.";
}
