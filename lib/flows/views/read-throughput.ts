import type { WorkspaceId } from "#lib/contracts/api/ids";
import { barStarts, type ChartRange, RANGE_STEPS } from "#lib/contracts/events/chart-range";
import type { PipelineThroughput } from "#lib/contracts/views";
import { countCompleted } from "#lib/views/board-store";
import { countArrivals, measureStays, type Stay } from "#lib/views/task-move-store";
import { findView } from "#lib/views/view-store";
import { stagesOf } from "./read-board.ts";

/** Measures arrivals, stays and completions by stage, in each bar of a range that ends now; null without such a pipeline. */
export async function readThroughput(
  workspaceId: WorkspaceId,
  pipelineId: string,
  now: Date,
  range: ChartRange = "24h",
): Promise<PipelineThroughput | null> {
  const starts = barStarts(range, now);
  const { stepSeconds } = RANGE_STEPS[range];
  const steps = { since: starts[0] ?? 0, step: stepSeconds };
  const [pipeline, arrivals, completed, stays] = await Promise.all([
    findView(workspaceId, "pipeline", pipelineId),
    countArrivals(workspaceId, pipelineId, steps),
    countCompleted(workspaceId, pipelineId, steps),
    measureStays(workspaceId, pipelineId, steps),
  ]);
  if (!pipeline) return null;
  const names = [...new Set([...stagesOf(pipeline), ...arrivals.map(({ stage }) => stage)])];
  return {
    since: new Date(steps.since * 1000).toISOString(),
    stepSeconds,
    stages: names.map((name) => {
      const counts = new Map(arrivals.filter(({ stage }) => stage === name).map(({ at, count }) => [at, count]));
      return { name, arrived: starts.map((at) => counts.get(at) ?? 0), ...staysOf(name, stays ?? [], starts) };
    }),
    completed: starts.map((at) => completed.get(at) ?? 0),
  };
}

function staysOf(name: string, stays: Stay[], starts: number[]) {
  const own = stays.filter(({ stage }) => stage === name);
  const whole = own.find(({ at }) => at === null);
  return {
    stay: whole ? { left: whole.left, p50: whole.p50, p95: whole.p95 } : null,
    stays: starts.map((start) => own.find(({ at }) => at === start)?.p50 ?? null),
  };
}
