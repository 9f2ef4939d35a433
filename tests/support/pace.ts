import { expect } from "vitest";
import { figure } from "./figure.ts";
import { atSize, hurriedClock, matrixSample } from "./sample.ts";
import { measureSlowness } from "./yardstick.ts";

// A file that imports this one runs twice: in the quick suite, and alone in `npm run test:deep -- pace` (docs/decisions/0113).

export { atSize, hurriedClock, matrixSample };

/** True in `npm run test:deep -- pace`, where nothing runs beside a test. */
const PACE = process.env.TEST_PACE === "on";

/** Before anything else runs in this process. */
const slownessAtStart = PACE ? measureSlowness() : 1;

/** A process of ours that takes every core slows the yardstick, too: beyond this it is the product that is slow. */
const MAX_SLOWNESS = 3;

/**
 * Asserts a time where nothing runs beside it. Its limit holds for the machine on which it was chosen: on a slower one it is longer in the
 * ratio of a fixed piece of work (yardstick.ts), which is measured before the test and now. Elsewhere other tests take their
 * share, and nothing is asserted.
 */
export function expectPace(measured: number, limit: number, words?: string): void {
  if (!PACE) return;
  if (measured < limit) return;
  const slowness = Math.min(MAX_SLOWNESS, Math.max(slownessAtStart, measureSlowness()));
  figure(
    `pace ${Math.round(measured)} with a limit of ${limit}: this machine takes ${slowness.toFixed(1)} times as long as the one it was chosen on`,
  );
  expect(measured, words).toBeLessThan(limit * slowness);
}

/** Asserts an amount of memory where nothing runs beside it. */
export function expectMemory(measured: number, limit: number, words?: string): void {
  if (PACE) expect(measured, words).toBeLessThan(limit);
}
