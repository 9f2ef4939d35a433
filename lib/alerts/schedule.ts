import { MAX_WAIT_MS, retryWait } from "#lib/time/retry-wait";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** When each attempt follows the one before it: close together at first, because an alert that is late helps less. Milliseconds. */
const SCHEDULE_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR] as const;

/**
 * Returns how long an alert waits after a failed attempt.
 *
 * @param attempts how many were made, this one included
 * @param retryAfterMs what the answer asked for; null for nothing
 * @param random between 0 and 1, for the jitter of 20% either way
 * @returns milliseconds; null when that was the last attempt
 */
export function waitAfter(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const base = SCHEDULE_MS[attempts - 1];
  return base === undefined ? null : retryWait(base, retryAfterMs, random);
}

/**
 * For how long a channel is left alone: what its answer asked for, up to a day. Without that a new alert is sent at once.
 *
 * @param retryAfterMs what the answer asked for; null for nothing
 * @returns milliseconds; null for not at all
 */
export const holdOf = (retryAfterMs: number | null): number | null =>
  retryAfterMs === null ? null : Math.min(Math.max(retryAfterMs, 0), MAX_WAIT_MS);
