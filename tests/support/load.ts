import { expect } from "vitest";
import { type Clock, systemClock } from "#lib/time/clock";
import { figure } from "./figure.ts";
import { atSize, matrixSample, UNDER_LOAD } from "./sample.ts";
import { measureSlowness } from "./yardstick.ts";

// A file that imports this one runs twice: in the quick suite, and alone in `npm run test:load` (docs/decisions/0070).

export { atSize, matrixSample };

/** Before anything else runs in this process. */
const slownessAtStart = UNDER_LOAD ? measureSlowness() : 1;

/** A process of ours that takes every core slows the yardstick, too: beyond this it is the product that is slow. */
const MAX_SLOWNESS = 3;

/**
 * Asserts a time in `npm run test:load`. Its limit holds for the machine on which it was chosen: on a slower one it is longer in the
 * ratio of a fixed piece of work (yardstick.ts), which is measured before the test and now. In the quick suite other tests take their
 * share, and nothing is asserted.
 */
export function expectPace(measured: number, limit: number, words?: string): void {
  if (!UNDER_LOAD) return;
  if (measured < limit) return;
  const slowness = Math.min(MAX_SLOWNESS, Math.max(slownessAtStart, measureSlowness()));
  figure(
    `pace ${Math.round(measured)} with a limit of ${limit}: this machine takes ${slowness.toFixed(1)} times as long as the one it was chosen on`,
  );
  expect(measured, words).toBeLessThan(limit * slowness);
}

/** Asserts an amount of memory in `npm run test:load`. */
export function expectMemory(measured: number, limit: number, words?: string): void {
  if (UNDER_LOAD) expect(measured, words).toBeLessThan(limit);
}

/** Time that goes by eight times as fast in the quick suite: a budget of the processor's time is spent sooner. */
export const hurriedClock: Clock = { ...systemClock, elapsed: () => systemClock.elapsed() * atSize(1, 8) };
