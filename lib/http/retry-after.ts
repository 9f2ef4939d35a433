const MAX_WAIT_MS = 24 * 3_600_000;

/** Returns how long to wait (RFC 9110 section 10.2.3), at most a day. A date counts from the answer's own `Date`: the two clocks need not agree. */
export function retryAfterMs(retryAfter: string | null, date: string | null, now: Date): number | null {
  const text = retryAfter?.trim() ?? "";
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text) * 1000, MAX_WAIT_MS);
  const until = readHttpDate(text, now);
  if (until === null) return null;
  const wait = until - (readHttpDate(date ?? "", now) ?? now.getTime());
  return Math.min(Math.max(0, wait), MAX_WAIT_MS);
}

/** IMF-fixdate, RFC 850 and asctime (RFC 9110 section 5.6.7). */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** Reads only the forms that recipients must read: `Date.parse` reads all sorts of text, and asctime's form as local time. */
function readHttpDate(text: string, now: Date): number | null {
  const parts = HTTP_DATES.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!parts) return null;
  const { day = "", month = "", year = "", time = "" } = parts;
  const read = Date.parse(`${day.trim().padStart(2, "0")} ${month} ${fullYear(year, now.getUTCFullYear())} ${time} GMT`);
  return Number.isNaN(read) ? null : read;
}

/** Two digits that would be more than 50 years ahead are of the century before. */
function fullYear(year: string, present: number): number {
  if (year.length === 4) return Number(year);
  const full = present - (present % 100) + Number(year);
  return full > present + 50 ? full - 100 : full;
}
