/** Time as a part of the process reads it: handed in, so that a test moves it. */
export type Clock = {
  /** Milliseconds since 1970, which the operating system may correct in either direction. */
  now: () => number;
  /** Milliseconds, with fractions, that never go back; only their differences mean something. */
  elapsed: () => number;
};

/** The process's own clocks. */
export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };
