/** Messages of `next build`, what each is followed by, and the progress in per cent. */
const STAGES: readonly (readonly [heard: RegExp, waitsFor: string, percent: number])[] = [
  [/Creating an optimized production build/, "compiling", 2],
  [/Compiled successfully/, "collecting the pages", 75],
  [/Collecting page data/, "collecting the pages", 80],
  [/Generating static pages/, "writing the static pages", 88],
  [/Finalizing page optimization/, "finishing", 95],
];

export type BuildProgress = { percent: number; waitsFor: string };

/** Compiling prints nothing: half of what is left counts as done after this time. */
const HALF_OF_COMPILING_MS = 25_000;

export class BuildOutput {
  private stage = 0;
  private since: number;

  constructor(now: number) {
    this.since = now;
  }

  /** @param text everything printed so far */
  hear(text: string, now: number): void {
    const heard = STAGES.findLastIndex(([words]) => words.test(text));
    if (heard <= this.stage) return;
    this.stage = heard;
    this.since = now;
  }

  /** Grows with time between two messages, and never reaches the next. */
  progress(now: number): BuildProgress {
    const [, waitsFor = "", percent = 0] = STAGES[this.stage] ?? [];
    const next = STAGES[this.stage + 1]?.[2] ?? 100;
    const share = 1 - 0.5 ** ((now - this.since) / HALF_OF_COMPILING_MS);
    return { percent: Math.floor(percent + (next - percent) * share), waitsFor };
  }
}

export const progressWords = ({ percent, waitsFor }: BuildProgress): string => `${percent}%, ${waitsFor}`;
