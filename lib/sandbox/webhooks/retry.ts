/** The sandbox's own schedule (docs/platform.md: "retry schedule … not shown"). */

export const MAX_ATTEMPTS = 12;
const FIRST_MS = 1000;
const MAX_MS = 5 * 60_000;

/** Returns milliseconds, or null at the last attempt: 1 s, 2 s … 5 min, up to a quarter more so that failures don't return together. */
export function retryDelay(attempt: number, retryAfterMs: number | null, chance: number): number | null {
  if (attempt >= MAX_ATTEMPTS) return null;
  const backoff = Math.min(FIRST_MS * 2 ** (attempt - 1), MAX_MS);
  const jittered = Math.min(backoff * (1 + chance / 4), MAX_MS);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_MS)));
}

/** Reads seconds or a date (RFC 9110 section 10.2.3) into milliseconds; null if absent or unreadable. */
export function parseRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
