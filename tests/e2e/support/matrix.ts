import { ALL, type Sample, seededSample } from "#tests/support/sample";

/** Selection of values of a large matrix for a browser test: a sample in `npm test`, all of them in `npm run test:load`. */
export const MATRIX: Sample = process.env.TEST_LOAD === "on" ? ALL : seededSample();

/** Returns the first of some numbers with all values, else the second. */
export const atMatrix = (all: number, sample: number): number => (MATRIX.all ? all : sample);
