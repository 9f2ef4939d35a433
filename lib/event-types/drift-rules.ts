// When a thing that was never seen is more than an accident. Each rule is a bound on the chance that traffic without a change would show
// it: independent observations are assumed, which is why events of one record, and of one minute, count once (lib/event-types/outcomes.ts).

/** A claim is made below this chance: in 100,000 events of 640 fields without a change, none was (tests/unit/event-types/drift-simulation.test.ts). */
const IMPLAUSIBLE = 1e-9;

/** Fewer observations say too little of what is usual. */
export const RULE_AFTER = 100;

/** Upper bounds (95%) of a Poisson mean of which 0 to 3 were seen. The first is the rule of three. */
const UPPER = [3, 4.74, 6.3, 7.75] as const;

/** Returns the largest chance of an outcome that `n` observations with `seen` of it allow. */
export const chanceOf = (n: number, seen = 0): number => Math.min(1, (UPPER[Math.min(seen, UPPER.length - 1)] as number) / n);

/** How many in a row are implausible: 6 after 100 observations, 4 after 1,000, 3 after 10,000. */
export const rowNeeded = (chance: number): number =>
  chance >= 1 ? Number.POSITIVE_INFINITY : Math.ceil(Math.log(IMPLAUSIBLE) / Math.log(chance) - 1e-9);

/** Part of the newest observations are looked at, at least so many. */
export const WINDOW = 200;

/** True if `x` or more of `n` observations are implausible where each has this chance. */
export const isImplausibleShare = (x: number, n: number, chance: number): boolean =>
  x > n * chance && logTail(x, n, chance) < Math.log(IMPLAUSIBLE);

/** Returns the logarithm of the chance of `x` or more of `n` (binomial): each term is a ratio of the one before it. */
export function logTail(x: number, n: number, p: number): number {
  if (x <= 0) return 0;
  if (x > n || p <= 0) return Number.NEGATIVE_INFINITY;
  if (p >= 1) return 0;
  const first = logChoose(n, x) + x * Math.log(p) + (n - x) * Math.log1p(-p);
  let [sum, term] = [1, 1];
  for (let k = x; k < n && term > sum * 1e-12; k += 1) {
    term *= ((n - k) / (k + 1)) * (p / (1 - p));
    sum += term;
  }
  return first + Math.log(sum);
}

function logChoose(n: number, k: number): number {
  let log = 0;
  for (let at = 1; at <= Math.min(k, n - k); at += 1) log += Math.log((n - at + 1) / at);
  return log;
}

/** Events of a body longer than four times the 99th percentile, in a row. */
export const SIZE_ROW = 20;

/** Events of a value that an enumeration never had, where each known value was seen more than once. */
export const VALUE_ROW = 2;

/** Observations of the old shape after which a drift is over. */
export const RECOVERED_AFTER = 200;
/** Observations after which an exception is no longer part of what may be a drift. */
export const AGED_AFTER = 200;
/** So many exceptions that came to nothing are the traffic's own variety. */
export const VARIETY_AFTER = 3;

/** Days that a type's events are compared with, and how far they must fall or rise. */
export const VOLUME_DAYS = 14;
export const VOLUME_FACTOR = 10;
/** Of fewer events a day, a tenth is no event for days. */
export const VOLUME_LEAST = 40;

/** True if a day's events are implausibly few, or many, against each of the days before: a tenth of the fewest, or ten times the most. */
export function volumeDrift(days: readonly number[], day: number): "fell" | "rose" | null {
  if (days.length < VOLUME_DAYS) return null;
  const [fewest, most] = [Math.min(...days), Math.max(...days)];
  if (fewest >= VOLUME_LEAST && day * VOLUME_FACTOR <= fewest) return "fell";
  return fewest > 0 && day >= VOLUME_LEAST && day >= most * VOLUME_FACTOR ? "rose" : null;
}
