import { Play, Square } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ProgressBar } from "#components/ui/feedback/progress-bar";
import { tellFailure } from "#components/ui/feedback/toast";
import { StateBadge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { useNow } from "#components/ui/relative-time";
import { untilWords } from "#components/ui/time-format";
import { useOperationActions } from "#lib/client/queries/operations";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { Operation } from "#lib/contracts/operations";

const STATES = {
  queued: { state: "working", word: "Waiting" },
  running: { state: "working", word: "Running" },
  stopped: { state: "attention", word: "Stopped" },
  finished: { state: "fine", word: "Done" },
  partly: { state: "attention", word: "Done, with failures" },
  failed: { state: "failed", word: "Failed" },
} as const;

type OperationProgressProps = {
  operation: Operation;
  allowed: boolean;
  /** What is counted: one, and many. */
  unit: readonly [one: string, many: string];
  /** Progress in words; "400 of 1,000 events" when left out. */
  words?: string | undefined;
  /** Phase that doesn't count: rate and time left are not shown. */
  phaseWords?: string | undefined;
  /** Finished, but some of it failed. */
  partly?: boolean;
  children?: ReactNode;
};

export function OperationProgress({ operation, allowed, unit, words, phaseWords, partly = false, children }: OperationProgressProps) {
  const { id, state, done, total, startedAt, failure } = operation;
  const badge = STATES[partly && state === "finished" ? "partly" : state];
  const counted = words ?? doneWords(done, total, unit);
  const status = state === "queued" ? "Waiting for a worker" : (phaseWords ?? counted);
  const ticking = state === "running" && phaseWords === undefined;
  return (
    <div data-operation={id} className="flex w-full min-w-44 flex-1 flex-col gap-1.5">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 text-13">
        <StateBadge state={badge.state}>{badge.word}</StateBadge>
        <span role="status" className="text-12 text-muted tabular-nums">
          {status}
        </span>
        {ticking ? <Speed key={`${id} ${startedAt}`} done={done} total={total} /> : null}
        {allowed ? <Controls operation={operation} /> : null}
      </div>
      <ProgressBar label="Progress" share={shareOf(operation)} words={status} />
      {failure === null ? null : <p className="text-12 text-failed">{failure}</p>}
      {children}
    </div>
  );
}

const doneWords = (done: number, total: number | null, unit: OperationProgressProps["unit"]) =>
  total === null ? countWords(done, ...unit) : `${formatNumber(done)} of ${countWords(total, ...unit)}`;

function shareOf({ state, done, total }: Operation): number | null {
  if (state === "finished") return 1;
  if (state === "failed" && total !== null && done >= total) return 1;
  if (total === null || total === 0) return state === "stopped" || state === "failed" ? 0 : null;
  return state === "queued" && done === 0 ? null : done / total;
}

/** Shows items per second since this page first saw it, and the time left at that rate. */
function Speed({ done, total }: Pick<Operation, "done" | "total">) {
  const [first] = useState(() => ({ done, at: Date.now() }));
  const seconds = (useNow() - first.at) / 1000;
  if (seconds < 1 || done <= first.done) return null;
  const rate = (done - first.done) / seconds;
  const left = total === null ? "" : `, about ${untilWords(Math.max(1000, ((total - done) / rate) * 1000))} left`;
  return (
    <span suppressHydrationWarning className="text-12 text-muted tabular-nums">
      {`${formatNumber(Math.max(1, Math.round(rate)))} per second${left}`}
    </span>
  );
}

function Controls({ operation }: { operation: Operation }) {
  const { stop, resume } = useOperationActions(operation);
  if (!operation.canStop && !operation.canResume) return null;
  const [label, icon, change] = operation.canStop
    ? ["Stop", <Square key="stop" aria-hidden />, stop]
    : ["Resume", <Play key="resume" aria-hidden />, resume];
  return (
    <Button
      size="sm"
      className="ml-auto"
      icon={icon}
      loading={change.isPending}
      onClick={() => tellFailure(change.mutateAsync(), "Couldn't change the operation")}
    >
      {label}
    </Button>
  );
}
