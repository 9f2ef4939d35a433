"use client";

import { countWords } from "#components/settings/views/rebuild-words";
import { Button } from "#components/ui/button";
import { useNow } from "#components/ui/clock";
import { formatNumber } from "#components/ui/count";
import { Panel, PanelBody, PanelHeader } from "#components/ui/panel";
import { ProgressBar } from "#components/ui/progress-bar";
import { durationWords } from "#components/ui/time-words";
import { useStopRebuild } from "#lib/client/view-rebuilds";
import type { ViewRebuild } from "#lib/contracts/view-rebuilds";

/** One under way: how far, how fast, how long still; and the button that stops it. */
export function RebuildProgress({ rebuild, canStop }: { rebuild: ViewRebuild; canStop: boolean }) {
  const now = useNow();
  const stop = useStopRebuild();
  const words = wordsOf(rebuild, now);
  const share = rebuild.state === "queued" || rebuild.total === 0 ? null : rebuild.done / rebuild.total;
  return (
    <Panel>
      <PanelHeader
        title={rebuild.dryRun ? "Checking the views against the log" : "Rebuilding the views"}
        hint="The live views stay as they are until the end."
        actions={
          canStop ? (
            <Button size="sm" onClick={() => stop.mutate(rebuild.id)} loading={stop.isPending}>
              Stop
            </Button>
          ) : undefined
        }
      />
      <PanelBody className="flex flex-col gap-2">
        <ProgressBar label="Progress" share={share} words={words} />
        <p suppressHydrationWarning className="text-12 text-muted tabular-nums">
          {words}
        </p>
      </PanelBody>
    </Panel>
  );
}

function wordsOf({ state, phase, done, total, startedAt }: ViewRebuild, now: number): string {
  if (state === "queued" || startedAt === null) return "Waits for a worker";
  if (phase === "comparing") return `All ${countWords(total, "event")} read; comparing field by field`;
  if (phase === "writing") return "Writing what differs, in one transaction";
  const seconds = (now - Date.parse(startedAt)) / 1000;
  const read = `${formatNumber(done)} of ${countWords(total, "event")}`;
  if (done === 0 || seconds < 1) return read;
  const rate = done / seconds;
  return `${read}, ${formatNumber(Math.round(rate))} a second, about ${durationWords(((total - done) / rate) * 1000 + 999)} to go`;
}
