import type { Sent } from "../deliver/send.ts";

export type Difference = { path: string; first: string; second: string };

export type Result = { id: string; type: string; answers: Sent[]; differences: Difference[] };

/** One target must answer 2xx; two must answer, and the same. */
export const isFailed = ({ answers, differences }: Result): boolean =>
  answers.length > 1
    ? differences.length > 0 || answers.some((sent) => sent.outcome !== "answered")
    : !answers.every((sent) => sent.outcome === "answered" && sent.status >= 200 && sent.status < 300);

export const answerWords = (sent: Sent | undefined): string =>
  !sent ? "" : sent.outcome === "answered" ? String(sent.status) : sent.error;
