import type { Failure } from "#lib/contracts/events";

/** What can go wrong when an event is applied, by a stable code. */
export type FailureCode = "missing_id" | "not_readable" | "apply_error";

/** Tries before an event is a dead letter. */
export const MAX_ATTEMPTS = 6;

const WORDS: Record<FailureCode, { why: string; mend: string }> = {
  missing_id: {
    why: "The platform sent the event without the id that says which resource it is about, or under a name that is not known here.",
    mend: "Look at the payload. If the id is there under another name, add the name to lib/platform/field-names.ts and re-deliver. If it is not, ask the platform.",
  },
  not_readable: {
    why: "The stored bytes verified when they came, but can't be read as an event today.",
    mend: "Look at the raw body. Re-deliver after the reader has been mended.",
  },
  apply_error: {
    why: "The database refused the change, or an error in Signalbox stopped it. It was tried several times.",
    mend: "Look at the worker's log around the time of the last attempt, then re-deliver.",
  },
};

/** A failure in words. An unknown code is shown as an error of ours. */
export function explainFailure(code: string, text: string): Failure {
  const words = Object.hasOwn(WORDS, code) ? WORDS[code as FailureCode] : WORDS.apply_error;
  return { code, what: text, why: words.why, mend: words.mend };
}

/**
 * When to try again: 1 s, 4 s, 16 s… up to 10 minutes, each with up to a
 * quarter of jitter, so that what failed together does not return together.
 *
 * @param attempts tries so far, 1 or more
 * @param random in [0, 1)
 * @returns milliseconds
 */
export function backoffMs(attempts: number, random: number): number {
  return Math.min(600_000, 1000 * 4 ** (attempts - 1)) * (1 + random / 4);
}
