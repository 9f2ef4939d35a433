import type { Sent } from "../deliver/send.ts";

/** Difference between two answers: the place, and the value of each there. */
export type Difference = { path: string; first: string; second: string };

/** Result of one event: an answer for each target, and their differences. */
export type Result = { id: string; type: string; answers: Sent[]; differences: Difference[] };

/** A single target must answer 2xx; two must answer, and the same. */
export const isFailed = ({ answers, differences }: Result): boolean =>
  answers.length > 1
    ? differences.length > 0 || answers.some((sent) => sent.outcome !== "answered")
    : !answers.every((sent) => sent.outcome === "answered" && sent.status >= 200 && sent.status < 300);

/** An answer in a word: its status, or why there is none. */
export const answerWords = (sent: Sent | undefined): string =>
  !sent ? "" : sent.outcome === "answered" ? String(sent.status) : sent.error;
