import { MAX_WAIT_MS, retryWait } from "#lib/time/waits";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Short waits first, because a late alert helps less. */
const SCHEDULE_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR] as const;

/** Returns the wait in ms; null after the last attempt. @param attempts this one included @param random 0 to 1, for ±20% jitter */
export function waitAfter(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const base = SCHEDULE_MS[attempts - 1];
  return base === undefined ? null : retryWait(base, retryAfterMs, random);
}

/** Returns how long the channel asked to be left alone, at most a day, in ms; null for not at all. */
export const holdOf = (retryAfterMs: number | null): number | null =>
  retryAfterMs === null ? null : Math.min(Math.max(retryAfterMs, 0), MAX_WAIT_MS);
