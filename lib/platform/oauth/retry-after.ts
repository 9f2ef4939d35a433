const MAX_WAIT_MS = 24 * 3_600_000;

/** Returns how long to wait (RFC 9110 section 10.2.3). A date counts from the answer's own `Date`: the two clocks need not agree. */
export function retryAfterMs(retryAfter: string | null, date: string | null, now: Date): number | null {
  const text = retryAfter?.trim() ?? "";
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text) * 1000, MAX_WAIT_MS);
  const until = readHttpDate(text);
  if (until === null) return null;
  const wait = until - (readHttpDate(date ?? "") ?? now.getTime());
  return wait > 0 ? Math.min(wait, MAX_WAIT_MS) : 0;
}

/** Reads only the form that senders must use (RFC 9110 section 5.6.7): `Date.parse` reads all sorts of text. */
function readHttpDate(text: string): number | null {
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
