import { expect } from "vitest";

// A file that imports this one runs twice: in the quick suite, and alone in `npm run test:load` (docs/decisions/0070).

const UNDER_LOAD = process.env.TEST_LOAD === "on";

/** Asserts a time or an amount of memory in `npm run test:load`. In the quick suite other tests take their share, and nothing is asserted. */
export function expectPace(measured: number, limit: number, words?: string): void {
  if (UNDER_LOAD) expect(measured, words).toBeLessThan(limit);
}

/** Returns the first size in `npm run test:load`, and the second in the quick suite. */
export const atSize = (full: number, quick: number): number => (UNDER_LOAD ? full : quick);
