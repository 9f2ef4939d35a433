import { ALL, type Sample, seededSample } from "#tests/support/sample";

/** Which values a browser test takes of a large matrix: a sample in `npm test`, all of them in `npm run test:load`. */
export const MATRIX: Sample = process.env.TEST_LOAD === "on" ? ALL : seededSample();
