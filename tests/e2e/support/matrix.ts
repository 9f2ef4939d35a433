import { matrixSample, type Sample } from "#tests/support/sample";

/** Selection of values of a large matrix for a browser test: a sample in `npm test`, all of them in the deep suite. */
export const MATRIX: Sample = matrixSample();
