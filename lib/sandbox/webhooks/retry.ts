/** When a webhook that was not accepted is tried again (platform-spec: "retry schedule … not shown"; this one is the sandbox's own). */

export const MAX_ATTEMPTS = 12;
const FIRST_MS = 1000;
const MAX_MS = 5 * 60_000;

/**
 * Returns how long to wait after a failed try, in milliseconds: 1 s, 2 s, 4 s … 5 min,
 * each with up to a quarter more, so that what failed together does not come
 * back together. The receiver's Retry-After is honoured when it asks for more.
 *
 * @param attempt the try that failed, from 1
 * @param retryAfterMs what the receiver asked for, or null
 * @param chance a number from 0 to 1
 * @returns null when there is no next try
 */
export function retryDelay(attempt: number, retryAfterMs: number | null, chance: number): number | null {
  if (attempt >= MAX_ATTEMPTS) return null;
  const backoff = Math.min(FIRST_MS * 2 ** (attempt - 1), MAX_MS);
  const jittered = Math.min(backoff * (1 + chance / 4), MAX_MS);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_MS)));
}

/** `Retry-After` in milliseconds (RFC 9110 section 10.2.3: seconds or a date); null when absent or unreadable. */
export function parseRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/** True for an answer that ends a delivery well; null is no answer. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
