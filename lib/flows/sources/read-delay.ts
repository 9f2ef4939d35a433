import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { SourceDelay } from "#lib/contracts/auth/settings";
import { barStarts, type ChartRange, RANGE_STEPS } from "#lib/contracts/events/chart-range";
import { MAX_DELAYED, measureDelays } from "#lib/events/delay-store";
import { listSources } from "#lib/sources/source-store";

/** Measures how long events were on their way, from the platform's `created` to the receipt; null without such a source. */
export async function readDelay(workspaceId: WorkspaceId, sourceId: string, now: Date, range: ChartRange): Promise<SourceDelay | null> {
  const sources = await listSources(workspaceId);
  if (!sources.some(({ id }) => id === sourceId)) return null;
  const starts = barStarts(range, now);
  const { stepSeconds } = RANGE_STEPS[range];
  const delays = await measureDelays(workspaceId, sourceId, { since: starts[0] ?? 0, step: stepSeconds });
  const whole = delays?.find(({ at }) => at === null);
  return {
    since: new Date((starts[0] ?? 0) * 1000).toISOString(),
    stepSeconds,
    complete: delays !== null && (whole?.events ?? 0) < MAX_DELAYED,
    events: whole?.events ?? 0,
    p50Ms: whole?.p50 ?? null,
    p95Ms: whole?.p95 ?? null,
    bars: starts.map((start) => {
      const bar = delays?.find(({ at }) => at === start);
      return { at: new Date(start * 1000).toISOString(), events: bar?.events ?? 0, p50Ms: bar?.p50 ?? null, p95Ms: bar?.p95 ?? null };
    }),
  };
}
