import { type Clock, systemClock } from "#lib/time/clock";
import { figure } from "./figure.ts";

/**
 * Decides which values the quick suite takes of a large matrix: the same at each run, so that it fails by a change alone.
 * TEST_SEED takes others; the deep suite takes all of them.
 */
export type Sample = { all: boolean; seed: number };

export const ALL: Sample = { all: true, seed: 0 };

const SEED = Number(process.env.TEST_SEED ?? 1);

/** Returns the sample of this run, and prints its seed. */
export function seededSample(): Sample {
  figure(`sampled with TEST_SEED=${SEED}`);
  return { all: false, seed: SEED };
}

/**
 * Returns all values, or one. Successive turns take successive values, so that a route with
 * several fields is tried with several values.
 */
export const valuesOf = <T>({ all, seed }: Sample, values: T[], turn: number): T[] =>
  all ? values : values.slice((seed + turn) % values.length).slice(0, 1);

/** True in `npm run test:deep`. */
export const DEEP = process.env.TEST_DEEP === "on";

/** All of a large matrix in the deep suite, a sample of it in the quick one. */
export const matrixSample = (): Sample => (DEEP ? ALL : seededSample());

/** Returns all values in the deep suite, and in the quick one a value of each kind. */
export function ofEachKind<T>(values: readonly T[], kindOf: (value: T) => unknown): T[] {
  const kinds = Map.groupBy(values, kindOf);
  return [...kinds.values()].flatMap((alike) => valuesOf(DEEP ? ALL : { all: false, seed: SEED }, alike, 0));
}

/** Returns the first size in the deep suite, and the second in the quick one. */
export const atSize = (full: number, quick: number): number => (DEEP ? full : quick);

/** Time that goes by eight times as fast in the quick suite: a budget of the processor's time is spent sooner. */
export const hurriedClock: Clock = { ...systemClock, elapsed: () => systemClock.elapsed() * atSize(1, 8) };
