/** What a stage of `npm test` found. */
export type Found = {
  passed: number;
  failed: number;
  /** Each failed test: its name and what it said. */
  failures?: { name: string; message: string }[];
  /** The names of what failed first, and passed when it was tried again (docs/decisions/0058). */
  passedAgain?: string[];
};
