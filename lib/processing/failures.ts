import type { Failure } from "#lib/contracts/events/events";
import { growingWait } from "#lib/time/waits";

export type FailureCode = "missing_id" | "not_readable" | "apply_error" | "worker_ended";

export const MAX_ATTEMPTS = 6;

const WORDS: Record<FailureCode, { why: string; fix: string }> = {
  missing_id: {
    why: "The event has no ID for its resource, or has it under an unknown field name.",
    fix: "Check the payload. If the ID is missing, ask the platform. If it is there under another name, map that path in Settings > Field mapping, then re-deliver.",
  },
  not_readable: {
    why: "The stored bytes were a valid event when they arrived, but can no longer be parsed.",
    fix: "If the source's field mapping was changed, correct it in Settings > Field mapping, then re-deliver. Otherwise report the problem with the raw body.",
  },
  apply_error: {
    why: "The database rejected the change, or an error in Signalbox stopped it. It was retried several times.",
    fix: "Check the worker's log around the time of the last attempt, then re-deliver.",
  },
  worker_ended: {
    why: "Each time this event was applied on its own, the worker process exited before it finished. It may have run out of memory or been killed.",
    fix: "Check the system log for an out-of-memory message around the time of the last attempt. Give the worker more memory or fix the cause, then re-deliver.",
  },
};

/** Text of a missing ID and its paths, as `missingId` in lib/views/fold/plan.ts writes it. */
const MISSING_ID = /^(.*) \(checked: (.+)\)$/s;

export function explainFailure(code: string, text: string): Failure {
  const { why, fix } = Object.hasOwn(WORDS, code) ? WORDS[code as FailureCode] : WORDS.apply_error;
  // The paths are many, and `what` is a heading.
  const [, what = text, paths] = (code === "missing_id" && MISSING_ID.exec(text)) || [];
  return { code, what, why: paths === undefined ? why : `${why} Checked: ${paths}.`, fix };
}

/** Returns the wait in milliseconds: 1 s, 4 s, 16 s … up to 10 minutes, with up to 25% jitter, so that failures don't return together. */
export function backoffMs(attempts: number, random: number): number {
  return growingWait(attempts, { firstMs: 1000, maxMs: 600_000, factor: 4 }) * (1 + random / 4);
}
