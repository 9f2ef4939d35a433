import type { AttemptOutcome } from "#lib/contracts/forwarding/deliveries";
import { retryAfterMs } from "#lib/platform/oauth/retry-after";
import { type ForwardError, forwardErrorOf, outcomeOfStatus } from "./outcomes.ts";
import type { Answer, TargetConnection } from "./target-connection.ts";

export type AttemptResult = {
  at: Date;
  outcome: AttemptOutcome;
  detail: string;
  requestHeaders: Record<string, string>;
  answer: Answer | null;
  /** Wait that the answer asked for, in milliseconds. */
  retryAfterMs: number | null;
  totalMs: number;
};

export type AttemptRequest = { path: string; headers: Record<string, string>; body: Uint8Array };

/** Sends once. Every failure is an outcome, never thrown; null when `signal` aborts, because the outcome is unknown. */
export async function sendAttempt(
  connection: TargetConnection,
  { path, headers, body }: AttemptRequest,
  at: Date,
  signal: AbortSignal,
): Promise<AttemptResult | null> {
  const since = performance.now();
  const result = (outcome: AttemptOutcome, detail: string, answer: Answer | null): AttemptResult => ({
    at,
    outcome,
    detail,
    requestHeaders: headers,
    answer,
    retryAfterMs: answer && retryAfterMs(one(answer, "retry-after"), one(answer, "date"), at),
    totalMs: Math.round(performance.now() - since),
  });
  try {
    const answer = await connection.post(path, headers, body, signal);
    const { outcome, detail } = outcomeOfStatus(answer.status, one(answer, "location"));
    return result(outcome, detail, answer);
  } catch (error) {
    if (signal.aborted) return null;
    const failure: ForwardError = forwardErrorOf(error);
    return result(failure.outcome, failure.message, null);
  }
}

function one({ headers }: Answer, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
