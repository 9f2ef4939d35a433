import { matrixSample, type Sample } from "#tests/support/sample";

/** Selection of values of a large matrix for a browser test: a sample in `npm test`, all of them in `npm run test:load`. */
export const MATRIX: Sample = matrixSample();
