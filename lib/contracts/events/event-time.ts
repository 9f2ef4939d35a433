/**
 * Reading of an event's `created` (lib/platform/event-time.ts, and the same in SQL: lib/db/log/event-time-sql.ts).
 * platform-spec says Unix seconds. ASSUMPTION: a value far beyond any date in seconds is in a finer unit.
 */

/** From here on a number counts milliseconds: as seconds it would be the year 5138, as milliseconds it is March 1973. */
export const MILLISECONDS_FROM = 100_000_000_000;

/** From here on a number counts microseconds: as milliseconds it would be the year 5138, as microseconds it is March 1973. */
export const MICROSECONDS_FROM = 100_000_000_000_000;

/** The platform's clock may be ahead of ours by this much, in seconds; an event from later is ordered as of its receipt. */
export const CLOCK_TOLERANCE_S = 300;
