const MAX_STEPS = 4;

/** Returns 3 to 5 round values of an axis from 0: 1, 2 or 5 times a power of ten. The last is not below `top`, a whole number. */
export function ticksTo(top: number): number[] {
  let step = 1;
  for (let at = 0; Math.ceil(top / step) > MAX_STEPS; at++) step *= at % 3 === 1 ? 2.5 : 2;
  const steps = Math.max(2, Math.ceil(top / step));
  return Array.from({ length: steps + 1 }, (_, at) => at * step);
}
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Milliseconds that read as whole units. */
const DURATION_STEPS = [
  ...[1, 5, 10, 50, 100, 250, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 5, 10, 30, 90, 365].map((n) => n * DAY),
];

/** Returns 3 to 5 durations in milliseconds, whole in seconds, minutes, hours or days. */
export function durationTicksTo(top: number): number[] {
  const step = DURATION_STEPS.find((each) => Math.ceil(top / each) <= MAX_STEPS && isWhole(each, top)) ?? Math.ceil(top / MAX_STEPS);
  const steps = Math.max(2, Math.ceil(top / step));
  return Array.from({ length: steps + 1 }, (_, at) => at * step);
}

/** True if the steps up to `top` read as different numbers: 1.5 s would be "1 s" again. */
const isWhole = (step: number, top: number): boolean => [SECOND, MINUTE, HOUR, DAY].every((unit) => step >= unit || top <= unit);
