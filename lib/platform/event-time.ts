import { CLOCK_TOLERANCE_S, MICROSECONDS_FROM, MILLISECONDS_FROM } from "#lib/contracts/events/event-time";

/** Seconds, and what of `created` was not taken as it came. */
type Reading = { seconds: number; unit: "seconds" | "milliseconds" | "microseconds"; bounded: "future" | "missing" | null };

/**
 * The time by which an event is ordered, Unix seconds: `created` in seconds whatever its unit, or the receipt
 * where `created` is zero, negative or further in the future than clocks differ. A function of the event's row
 * alone, so that every fold of the same log agrees. `eventSecondsSql` says the same in SQL.
 *
 * @param created as the platform sent it, any safe integer
 * @param receivedAt when we received the event
 */
export const eventSeconds = (created: number, receivedAt: Date): number => read(created, receivedAt).seconds;

function read(created: number, receivedAt: Date): Reading {
  const received = Math.floor(receivedAt.getTime() / 1000);
  if (created <= 0) return { seconds: received, unit: "seconds", bounded: "missing" };
  const unit = created >= MICROSECONDS_FROM ? "microseconds" : created >= MILLISECONDS_FROM ? "milliseconds" : "seconds";
  const seconds = Math.floor(created / PER_SECOND[unit]);
  if (seconds > received + CLOCK_TOLERANCE_S) return { seconds: received, unit, bounded: "future" };
  return { seconds, unit, bounded: null };
}

const PER_SECOND = { seconds: 1, milliseconds: 1000, microseconds: 1_000_000 };

/** Returns what of an event's `created` was not taken as it came, in words; null where it was. */
export function createdNote(created: number, receivedAt: Date): string | null {
  const { seconds, unit, bounded } = read(created, receivedAt);
  const iso = new Date(seconds * 1000).toISOString();
  const sent = `The platform's “created” is ${created}`;
  if (bounded === "missing") return `${sent}, which is not a valid time: the time of receipt is used instead.`;
  const inUnit = unit === "seconds" ? "" : `, in ${unit}`;
  if (bounded === "future")
    return `${sent}${inUnit}, which was in the future when the event arrived: it is ordered by its time of receipt, ${iso}.`;
  return unit === "seconds" ? null : `${sent}${inUnit}: it is read as ${iso}.`;
}
