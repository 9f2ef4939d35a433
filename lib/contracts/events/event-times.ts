import * as z from "zod/mini";
import { EVENT_PERIODS } from "./event-filters.ts";

export const chartRange = z.enum(EVENT_PERIODS);
export type ChartRange = z.infer<typeof chartRange>;

export const rangeQuery = z.object({ range: z._default(chartRange, "24h") });

const HOUR_S = 3600;

export const RANGE_STEPS: Record<ChartRange, { stepSeconds: number; bars: number }> = {
  "1h": { stepSeconds: 60, bars: 60 },
  "24h": { stepSeconds: HOUR_S, bars: 24 },
  "7d": { stepSeconds: 6 * HOUR_S, bars: 28 },
  "30d": { stepSeconds: 24 * HOUR_S, bars: 30 },
};

/** Returns the starts of a range's bars, oldest first, Unix seconds; the last bar is the present one. */
export function barStarts(range: ChartRange, now: Date): number[] {
  const { stepSeconds, bars } = RANGE_STEPS[range];
  const last = Math.floor(now.getTime() / 1000 / stepSeconds) * stepSeconds;
  return Array.from({ length: bars }, (_, index) => last - (bars - 1 - index) * stepSeconds);
}
