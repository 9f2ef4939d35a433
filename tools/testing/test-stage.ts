/** Result of a stage of a test run. */
export type Found = {
  passed: number;
  failed: number;
  /** Each failed test: its name and what it said. */
  failures?: { name: string; message: string }[];
};
