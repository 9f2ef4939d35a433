// Unix seconds (docs/platform.md). ASSUMPTION: a value far beyond any date has a finer unit. In SQL: lib/db/log/event-time-sql.ts

/** As seconds this would be the year 5138, as milliseconds it is March 1973. */
export const MILLISECONDS_FROM = 100_000_000_000;

/** As milliseconds this would be the year 5138, as microseconds it is March 1973. */
export const MICROSECONDS_FROM = 100_000_000_000_000;

/** Seconds that the platform's clock may be ahead of ours; a later event is ordered by its receipt. */
export const CLOCK_TOLERANCE_S = 300;
