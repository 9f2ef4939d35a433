const MAX_WAIT_MS = 24 * 3_600_000;

/**
 * Returns how long an answer asks to wait (RFC 9110 section 10.2.3): seconds, or an
 * HTTP date, which is counted from the answer's own `Date`, so that the clocks
 * of the two sides need not agree.
 *
 * @param now our time, for an answer without a `Date`
 * @returns milliseconds, 24 hours at most; null when it asks for nothing that can be read
 */
export function retryAfterMs(retryAfter: string | null, date: string | null, now: Date): number | null {
  const text = retryAfter?.trim() ?? "";
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text) * 1000, MAX_WAIT_MS);
  const until = readHttpDate(text);
  if (until === null) return null;
  const wait = until - (readHttpDate(date ?? "") ?? now.getTime());
  return wait > 0 ? Math.min(wait, MAX_WAIT_MS) : 0;
}

/** Only the form that RFC 9110 section 5.6.7 requires senders to use: `Date.parse` reads all sorts of text. */
function readHttpDate(text: string): number | null {
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
