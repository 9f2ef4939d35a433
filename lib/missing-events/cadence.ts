/** Frequency of a source's events. Noting events twice or in another order gives the same cadence. */
export type Cadence = {
  lastEventId: string;
  /** Unix milliseconds. */
  lastReceivedAt: number;
  /** When its newest events were received, Unix seconds, ascending, each once. */
  arrivals: number[];
  /** The platform's times of its newest events, Unix seconds, ascending, each once. */
  times: number[];
  /** Unix hours with events, ascending, each once. */
  hours: number[];
};

/** `created` is the platform's, in Unix seconds; `receivedAt` ours, in Unix milliseconds. */
export type Arrival = { eventId: string; created: number; receivedAt: number };

const TIMES_KEPT = 100;
const HOURS_KEPT = 8 * 24;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** Fewer times show no usual pause. */
const TIMES_NEEDED = 20;
const SHORTEST_SILENCE_S = 600;
const MEDIANS = 10;
const LONGEST = 3;

/** Adds arrivals. A sender's time far from ours is left out: it would be a pause that no silence exceeds. */
export function recordArrival(cadence: Cadence | null, arrivals: Arrival[]): Cadence | null {
  const last = arrivals.toSorted(compareArrivals).at(-1);
  if (!last) return cadence;
  const seconds = arrivals.map(({ receivedAt }) => Math.floor(receivedAt / 1000));
  const times = arrivals
    .filter(({ created, receivedAt }) => Math.abs(created - receivedAt / 1000) < 30 * DAY_S)
    .map(({ created }) => created);
  const before = cadence ? { eventId: cadence.lastEventId, receivedAt: cadence.lastReceivedAt } : last;
  const newest = compareArrivals(before, last) > 0 ? before : last;
  return {
    lastEventId: newest.eventId,
    lastReceivedAt: newest.receivedAt,
    arrivals: ascending([...(cadence?.arrivals ?? []), ...seconds]).slice(-TIMES_KEPT),
    times: ascending([...(cadence?.times ?? []), ...times]).slice(-TIMES_KEPT),
    hours: ascending([...(cadence?.hours ?? []), ...seconds.map((time) => Math.floor(time / HOUR_S))]).slice(-HOURS_KEPT),
  };
}

type Received = Pick<Arrival, "eventId" | "receivedAt">;
const compareArrivals = (a: Received, b: Received) => a.receivedAt - b.receivedAt || (a.eventId < b.eventId ? -1 : 1);

const ascending = (values: number[]) => [...new Set(values)].sort((a, b) => a - b);

/**
 * Returns the usual pause in seconds, and since when (Unix milliseconds) a source is silent: for ten usual pauses, three times the longest
 * of late and ten minutes, in hours in which it sent a day or a week ago. Else null. Of the pauses between arrivals and between its own
 * times the longer count: events that it catches up on arrive closer together than it sends, and collected ones happened closer together.
 */
export function detectSilence(
  { arrivals, times, hours, lastReceivedAt }: Cadence,
  now: number,
): { usualSeconds: number; since: number } | null {
  if (Math.max(arrivals.length, times.length) < TIMES_NEEDED) return null;
  const [arrived, sent] = [pausesOf(arrivals), pausesOf(times)];
  const [usual, longest] = [Math.max(arrived.usual, sent.usual), Math.max(arrived.longest, sent.longest)];
  const allowed = Math.max(SHORTEST_SILENCE_S, MEDIANS * usual, LONGEST * longest);
  if ((now - lastReceivedAt) / 1000 <= allowed || isQuietTime(hours, lastReceivedAt / 1000, now / 1000)) return null;
  return { usualSeconds: usual, since: lastReceivedAt };
}

function pausesOf(times: number[]): { usual: number; longest: number } {
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const sorted = pauses.sort((a, b) => a - b);
  return { usual: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 };
}

/** True when these hours are within the known time, and the source sent nothing in them a day and a week ago. */
function isQuietTime(hours: number[], from: number, until: number): boolean {
  const first = hours[0] ?? 0;
  const [begin, end] = [Math.floor(from / HOUR_S), Math.floor(until / HOUR_S)];
  const known = [24, 168].filter((back) => first <= begin - back);
  if (known.length === 0) return false;
  return !known.some((back) => hours.some((hour) => hour >= begin - back && hour <= end - back));
}
