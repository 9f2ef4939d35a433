import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Returns the result of work, or `otherwise()` after `ms`; the work goes on. Node runs expired timers before it reads: a blocked process
 * reads once more before it gives up, so that nothing is lost that arrived in time.
 */
export async function inTime<T, U>(work: Promise<T>, ms: number, otherwise: () => U): Promise<T | U> {
  work.catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve), ms);
  });
  try {
    return await Promise.race([work, late.then(otherwise)]);
  } finally {
    clearTimeout(timer);
  }
}

const PIECE_MS = 5;

/** Lets other work run between the pieces of long synchronous work. */
export class Pauses {
  private since = performance.now();

  /** Waits for the next turn of the event loop if the last pause was 5 ms ago; await it after each piece. */
  async afterPiece(): Promise<void> {
    if (performance.now() - this.since < PIECE_MS) return;
    await nextTurn();
    this.since = performance.now();
  }
}

export async function mapInPieces<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const pauses = new Pauses();
  const mapped: R[] = [];
  for (const item of items) {
    mapped.push(map(item));
    await pauses.afterPiece();
  }
  return mapped;
}

type Pulse = { signal: AbortSignal; end: () => void };

/** Calls `beat` until `end`; false aborts the work. A failed beat is skipped: the work's own connection will fail as well. */
export function startPulse(beat: () => Promise<boolean>, outer: AbortSignal, everyMs: number): Pulse {
  const abort = new AbortController();
  const pulse = setInterval(() => {
    beat()
      .then((goOn) => goOn || abort.abort())
      .catch(() => undefined);
  }, everyMs);
  return { signal: AbortSignal.any([outer, abort.signal]), end: () => clearInterval(pulse) };
}

const JITTER = 0.2;
/** No answer makes us wait longer. */
export const MAX_WAIT_MS = 24 * 3_600_000;

/** Returns milliseconds: `baseMs` with 20% jitter, or Retry-After (RFC 9110 section 10.2.3) between `baseMs` and 24 hours. */
export function retryWait(baseMs: number, retryAfterMs: number | null, random: number): number {
  const jittered = baseMs * (1 - JITTER + 2 * JITTER * random);
  return Math.round(retryAfterMs === null ? jittered : Math.min(Math.max(retryAfterMs, baseMs), MAX_WAIT_MS));
}

/** Returns milliseconds: `firstMs` after the first failure, then `factor` times the previous wait, up to `maxMs`. */
export const growingWait = (tries: number, { firstMs, maxMs, factor = 2 }: { firstMs: number; maxMs: number; factor?: number }): number =>
  Math.min(firstMs * factor ** (tries - 1), maxMs);

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
