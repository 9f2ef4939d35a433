import { growingWait, retryWait } from "#lib/time/retry-wait";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** When each attempt follows the one before it: the schedule that the Standard Webhooks specification recommends. Milliseconds. */
const SCHEDULE_MS = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR] as const;

/** After so many failed attempts a delivery is exhausted. */
export const MAX_ATTEMPTS = SCHEDULE_MS.length;

/**
 * Returns how long a delivery waits after a failed attempt.
 *
 * @param failed how many attempts have failed, this one included
 * @param retryAfterMs what the answer asked for; null for nothing. It counts between the schedule's own wait and 24 hours
 * @param random between 0 and 1, for the jitter of 20% either way
 * @returns milliseconds; null when that was the last attempt
 */
export function waitAfter(failed: number, retryAfterMs: number | null, random: number): number | null {
  const base = SCHEDULE_MS[failed];
  return base === undefined ? null : retryWait(base, retryAfterMs, random);
}

const FIRST_PROBE_MS = 30 * SECOND;
const MAX_PROBE_MS = 5 * MINUTE;

/** Returns how long a suspended destination waits for its next probe, in milliseconds. */
export const waitForProbe = (failedProbes: number): number =>
  growingWait(failedProbes + 1, { firstMs: FIRST_PROBE_MS, maxMs: MAX_PROBE_MS });
