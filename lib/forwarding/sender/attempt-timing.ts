import { growingWait, retryWait } from "#lib/time/waits";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits before each attempt, as Standard Webhooks recommends. Milliseconds. */
const SCHEDULE_MS = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR] as const;

export const MAX_ATTEMPTS = SCHEDULE_MS.length;

/** Returns the wait after a number of failures, with 20% jitter, no shorter than Retry-After (up to 24 hours); null after the last. */
export function waitAfter(failed: number, retryAfterMs: number | null, random: number): number | null {
  const base = SCHEDULE_MS[failed];
  return base === undefined ? null : retryWait(base, retryAfterMs, random);
}

const FIRST_PROBE_MS = 30 * SECOND;
const MAX_PROBE_MS = 5 * MINUTE;

export const waitForProbe = (failedProbes: number): number =>
  growingWait(failedProbes + 1, { firstMs: FIRST_PROBE_MS, maxMs: MAX_PROBE_MS });

/** Upper bounds of the buckets of successful attempts' durations, in milliseconds; one more is without a bound. */
export const LATENCY_BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 15_000] as const;

export function latencyCounts(durationsMs: number[]): number[] {
  const counts = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0);
  for (const ms of durationsMs) {
    const at = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
    const bucket = at < 0 ? LATENCY_BOUNDS_MS.length : at;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}
