import * as z from "zod/mini";
import { EVENT_PERIODS } from "./event-filters.ts";

/** `dataSchema` is the JSON Schema of `data`; null if the platform does not document it. */
const eventTypeInfo = z.object({
  type: z.string(),
  title: z.string(),
  meaning: z.string(),
  subject: z.string(),
  reportsFailure: z.boolean(),
  dataSchema: z.nullable(z.record(z.string(), z.unknown())),
});
export type EventTypeInfo = z.infer<typeof eventTypeInfo>;

export const eventTypeList = z.object({ data: z.array(eventTypeInfo), nextCursor: z.null() });
export type EventTypeList = z.infer<typeof eventTypeList>;

// Unix seconds (docs/platform.md). ASSUMPTION: a value far beyond any date has a finer unit. In SQL: lib/db/sql.ts

/** As seconds this would be the year 5138, as milliseconds it is March 1973. */
export const MILLISECONDS_FROM = 100_000_000_000;

/** As milliseconds this would be the year 5138, as microseconds it is March 1973. */
export const MICROSECONDS_FROM = 100_000_000_000_000;

/** Seconds that the platform's clock may be ahead of ours; a later event is ordered by its receipt. */
export const CLOCK_TOLERANCE_S = 300;

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
