import { figure } from "./figure.ts";

/**
 * Decides which values the quick suite takes of a large matrix: the same at each run, so that it fails by a change alone.
 * TEST_SEED takes others; `npm run test:load` takes all of them.
 */
export type Sample = { all: boolean; seed: number };

export const ALL: Sample = { all: true, seed: 0 };

/** Returns the sample of this run, and prints its seed. */
export function seededSample(): Sample {
  const seed = Number(process.env.TEST_SEED ?? 1);
  figure(`sampled with TEST_SEED=${seed}`);
  return { all: false, seed };
}

/**
 * Returns all values, or one. Successive turns take successive values, so that a route with
 * several fields is tried with several values.
 */
export const valuesOf = <T>({ all, seed }: Sample, values: T[], turn: number): T[] =>
  all ? values : values.slice((seed + turn) % values.length).slice(0, 1);

/** True in `npm run test:load`. */
export const UNDER_LOAD = process.env.TEST_LOAD === "on";

/** All of a large matrix in `npm run test:load`, a sample of it in the quick suite. */
export const matrixSample = (): Sample => (UNDER_LOAD ? ALL : seededSample());

/** Returns the first size in `npm run test:load`, and the second in the quick suite. */
export const atSize = (full: number, quick: number): number => (UNDER_LOAD ? full : quick);
