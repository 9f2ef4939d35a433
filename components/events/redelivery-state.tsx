"use client";

import { Play, Square } from "lucide-react";
import { Button } from "#components/ui/button";
import { ProgressBar } from "#components/ui/progress-bar";
import { StateBadge } from "#components/ui/state-badge";
import { toast } from "#components/ui/toast";
import { progressWords, useSteer } from "#lib/client/redeliveries";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";

const STATES = {
  held: { state: "neutral", word: "Not begun" },
  running: { state: "working", word: "Running" },
  done: { state: "fine", word: "Done" },
  aborted: { state: "attention", word: "Aborted" },
} as const;

/** How far a re-delivery has come: a word, a bar, numbers that add up. */
export function RedeliveryState({ redelivery }: { redelivery: RedeliveryProgress }) {
  const { state, word } = STATES[redelivery.state];
  const words = progressWords(redelivery);
  const failed = redelivery.state === "done" && redelivery.failed > 0;
  return (
    <div className="flex w-full min-w-44 flex-1 flex-col gap-1.5 min-[700px]:min-w-80">
      <div className="flex flex-wrap items-center gap-2 text-13">
        <StateBadge state={failed ? "attention" : state}>{word}</StateBadge>
        <span role="status" className="text-12 text-muted tabular-nums">
          {words}
        </span>
      </div>
      <ProgressBar label="Re-delivery" share={(redelivery.applied + redelivery.failed) / Math.max(1, redelivery.total)} words={words} />
    </div>
  );
}

/** Abort while it runs, resume after. */
export function RedeliveryControls({ redelivery, allowed }: { redelivery: RedeliveryProgress; allowed: boolean }) {
  const { start, abort } = useSteer();
  const { id, state } = redelivery;
  const failed = (error: Error) => toast.error("That did not work", { description: error.message });
  if (!allowed) return null;
  if (state === "running") {
    return (
      <Button size="sm" icon={<Square aria-hidden />} loading={abort.isPending} onClick={() => abort.mutate(id, { onError: failed })}>
        Abort
      </Button>
    );
  }
  if (state !== "aborted" || redelivery.left === 0) return null;
  return (
    <Button size="sm" icon={<Play aria-hidden />} loading={start.isPending} onClick={() => start.mutate({ id }, { onError: failed })}>
      Resume
    </Button>
  );
}
