/** What a stage of `npm test` found. */
export type Found = {
  passed: number;
  failed: number;
  /** Each failed test: its name and what it said. */
  failures?: { name: string; message: string }[];
  /** The names of what failed first, and passed with the machine to itself (docs/decisions/0058). */
  passedAlone?: string[];
};

/** More files than these are not slow, but broken. */
export const MOST_SLOW_FILES = 5;
