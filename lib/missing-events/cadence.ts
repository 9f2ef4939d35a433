/**
 * Frequency of a source's events. Pure, and a set: noting the same event twice, or
 * two events in any order, gives the same cadence.
 */
export type Cadence = {
  lastEventId: string;
  /** When its last event came in, Unix milliseconds. */
  lastReceivedAt: number;
  /** The platform's times of its newest events, Unix seconds, ascending, each once. */
  times: number[];
  /** The hours in which it sent events, Unix hours, ascending, each once. */
  hours: number[];
};

/** An arrival of an event. `created` is the platform's, in Unix seconds; `receivedAt` ours, in Unix milliseconds. */
export type Arrival = { eventId: string; created: number; receivedAt: number };

const TIMES_KEPT = 100;
const HOURS_KEPT = 8 * 24;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** With fewer there is no usual cadence. */
const TIMES_NEEDED = 20;
const SHORTEST_SILENCE_S = 600;
const MEDIANS = 10;
const LONGEST = 3;

/** Adds arrivals. An event's time far from ours is not believed: it would silence or excite the source for ever. */
export function recordArrival(cadence: Cadence | null, arrivals: Arrival[]): Cadence | null {
  const believed = arrivals.filter(({ created, receivedAt }) => Math.abs(created - receivedAt / 1000) < 30 * DAY_S);
  const last = believed.toSorted(compareArrivals).at(-1);
  if (!last) return cadence;
  const times = believed.map(({ created }) => created);
  const sinceLast = last.receivedAt - (cadence?.lastReceivedAt ?? 0);
  const newer = !cadence || sinceLast > 0 || (sinceLast === 0 && last.created >= (cadence.times.at(-1) ?? 0));
  return {
    lastEventId: newer ? last.eventId : cadence.lastEventId,
    lastReceivedAt: Math.max(last.receivedAt, cadence?.lastReceivedAt ?? 0),
    times: ascending([...(cadence?.times ?? []), ...times]).slice(-TIMES_KEPT),
    hours: ascending([...(cadence?.hours ?? []), ...times.map((time) => Math.floor(time / HOUR_S))]).slice(-HOURS_KEPT),
  };
}

/** Of two that came in the same millisecond the later one is the platform's later one. */
const compareArrivals = (a: Arrival, b: Arrival) =>
  a.receivedAt - b.receivedAt || a.created - b.created || (a.eventId < b.eventId ? -1 : 1);

const ascending = (values: number[]) => [...new Set(values)].sort((a, b) => a - b);

/**
 * Returns whether a source has been silent for longer than its cadence explains: ten times
 * its usual pause, three times the longest of late, and at least ten minutes;
 * and it sent events in these hours a day or a week ago, where we know of one.
 *
 * @param now Unix milliseconds
 * @returns the usual pause in seconds and since when it is silent (Unix milliseconds); null when all is as usual
 */
export function detectSilence({ times, hours }: Cadence, now: number): { usualSeconds: number; since: number } | null {
  const last = times.at(-1);
  if (last === undefined || times.length < TIMES_NEEDED) return null;
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const sorted = [...pauses].sort((a, b) => a - b);
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const allowed = Math.max(SHORTEST_SILENCE_S, MEDIANS * usual, LONGEST * (sorted.at(-1) ?? 0));
  if (now / 1000 - last <= allowed || isQuietTime(hours, last, now / 1000)) return null;
  return { usualSeconds: usual, since: last * 1000 };
}

/** True when the log is old enough to know these hours, and the source said nothing in them a day and a week ago. */
function isQuietTime(hours: number[], from: number, until: number): boolean {
  const first = hours[0] ?? 0;
  const [begin, end] = [Math.floor(from / HOUR_S), Math.floor(until / HOUR_S)];
  const known = [24, 168].filter((back) => first <= begin - back);
  if (known.length === 0) return false;
  return !known.some((back) => hours.some((hour) => hour >= begin - back && hour <= end - back));
}
