import { CLOCK_TOLERANCE_S, MICROSECONDS_FROM, MILLISECONDS_FROM, NANOSECONDS_FROM } from "#lib/contracts/api/bounds";

type Reading = { seconds: number; unit: "seconds" | "milliseconds" | "microseconds"; bounded: "future" | "missing" | null };

/**
 * Returns the Unix seconds that order an event: `created`, or the receipt if that is missing or in the future. Depends only on the event's
 * row, so that every fold of a log agrees. `eventSecondsSql` is the same in SQL.
 */
export const eventSeconds = (created: number, receivedAt: Date): number => read(created, receivedAt).seconds;

function read(created: number, receivedAt: Date): Reading {
  const received = Math.floor(receivedAt.getTime() / 1000);
  if (created <= 0) return { seconds: received, unit: "seconds", bounded: "missing" };
  const unit = unitOf(created);
  const seconds = Math.floor(created / PER_SECOND[unit]);
  if (seconds > received + CLOCK_TOLERANCE_S) return { seconds: received, unit, bounded: "future" };
  return { seconds, unit, bounded: null };
}

const unitOf = (time: number): Reading["unit"] =>
  time >= MICROSECONDS_FROM ? "microseconds" : time >= MILLISECONDS_FROM ? "milliseconds" : "seconds";

const PER_SECOND = { seconds: 1, milliseconds: 1000, microseconds: 1_000_000 };

/** Returns nanoseconds as microseconds, which a double holds; any other number as it is. */
export const inMicroseconds = (time: number): number => (time >= NANOSECONDS_FROM ? Math.floor(time / 1000) : time);

/** Reads a signed time in any of the units. */
export function signedSeconds(timestamp: string): number {
  const time = inMicroseconds(Number(timestamp));
  return time / PER_SECOND[unitOf(time)];
}

/** Returns which part of `created` was not taken as received, in words; null if all of it was. */
export function createdNote(created: number, receivedAt: Date): string | null {
  const { seconds, unit, bounded } = read(created, receivedAt);
  const iso = new Date(seconds * 1000).toISOString().replace(".000", "");
  const sent = `The platform's “created” is ${created}`;
  if (bounded === "missing") return `${sent}, which is not a valid time: the time of receipt is used instead.`;
  const inUnit = unit === "seconds" ? "" : `, in ${unit}`;
  if (bounded === "future")
    return `${sent}${inUnit}, which was in the future when the event arrived: it is ordered by its time of receipt, ${iso}.`;
  return unit === "seconds" ? null : `${sent}${inUnit}: it is read as ${iso}.`;
}
