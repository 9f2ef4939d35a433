const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAX_TICKS = 7;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 4, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 5, 10, 30, 90, 365].map((n) => n * DAY),
];

export type TimeTick = { at: number; label: string };

/** Returns the whole hours, days … of a period in the reader's zone, at most 8. Midnight is shown as the day. */
export function timeTicks(from: number, lasts: number, timeZone?: "UTC"): TimeTick[] {
  const step = STEPS.find((each) => lasts / each <= MAX_TICKS) ?? Math.ceil(lasts / MAX_TICKS / DAY) * DAY;
  const shiftAt = (at: number) => (timeZone === "UTC" ? 0 : -new Date(at).getTimezoneOffset() * MINUTE);
  const shift = shiftAt(from);
  const ticks: TimeTick[] = [];
  for (let local = Math.ceil((from + shift) / step) * step; local - shift < from + lasts; local += step) {
    // The clocks may have changed since the period began.
    const at = local - shiftAt(local - shift);
    ticks.push({ at, label: tickWords(at, { day: local % DAY === 0, seconds: step < MINUTE }, timeZone) });
  }
  return ticks;
}

function tickWords(at: number, { day, seconds }: { day: boolean; seconds: boolean }, timeZone?: string): string {
  const format: Intl.DateTimeFormatOptions = day
    ? { day: "numeric", month: "short" }
    : { hour: "2-digit", minute: "2-digit", ...(seconds && { second: "2-digit" }) };
  return new Intl.DateTimeFormat("en-GB", { ...format, timeZone }).format(at);
}
