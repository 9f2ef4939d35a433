/** Upper bounds of the buckets of successful attempts' durations, in milliseconds; one more is without a bound. */
export const LATENCY_BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 15_000] as const;

export function latencyCounts(durationsMs: number[]): number[] {
  const counts = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0);
  for (const ms of durationsMs) {
    const at = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
    const bucket = at < 0 ? LATENCY_BOUNDS_MS.length : at;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}
