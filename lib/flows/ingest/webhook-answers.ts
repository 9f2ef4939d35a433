import { problem } from "#lib/http/problem";
import { SIGNATURE_HEADER, type Verification } from "#lib/platform/signature";

/** `heldBack`: worth answering late, so that whoever asks on and on from many connections slows itself down. */
export type WebhookAnswer = { status: number; headers: Record<string, string>; body: string; heldBack?: true };

/** An answer, and what it is counted as. `stored`: what the trace of an event is told; times by the receiver's `elapsed` clock. `cause`: why it was not stored, for the log. */
export type Outcome = { outcome: string; answer: WebhookAnswer; stored?: StoredEvent; cause?: string };

export type StoredEvent = { sourceId: string; eventId: string; type: string; verifiedAt: number; committedAt: number; groupSize: number };

const WORDS: Record<Exclude<Verification["outcome"], "verified">, [title: string, detail: string]> = {
  signature_missing: ["The signature is missing", `Send the header ${SIGNATURE_HEADER}.`],
  signature_malformed: ["The signature is malformed", `${SIGNATURE_HEADER} must be exactly 64 hexadecimal digits.`],
  signature_repeated: ["The signature was sent more than once", `Send the header ${SIGNATURE_HEADER} once.`],
  signature_mismatch: [
    "The signature does not match",
    "Sign the exact bytes of the body with this source's secret (HMAC-SHA256, hexadecimal).",
  ],
};

/** What is wrong with a signature, in words. */
export const signatureWords = (outcome: keyof typeof WORDS): [title: string, detail: string] => WORDS[outcome];

/** An answer of the receiver itself. */
export const json = (status: number, body: unknown): WebhookAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** A problem (RFC 9457) with a stable code. */
export function reject(status: number, code: string, title: string, detail?: string, headers: Record<string, string> = {}): Outcome {
  const body = JSON.stringify(problem(status, code, title, detail));
  return { outcome: code, answer: { status, headers: { "content-type": "application/problem+json", ...headers }, body } };
}

/** 429 for too many rejected requests. */
export const tooMany = (retryAfterSeconds: number): Outcome =>
  reject(429, "too_many_requests", "Too many rejected requests", "Fix the signature, then send again.", {
    "retry-after": String(retryAfterSeconds),
  });

/** 429 for too many requests for names that no source has. */
export function tooManyUnknown(retryAfterSeconds: number): Outcome {
  const detail = "Check the source's name at the end of the URL.";
  const headers = { "retry-after": String(retryAfterSeconds) };
  const { outcome, answer } = reject(429, "too_many_requests", "Too many requests for sources that don't exist", detail, headers);
  return { outcome, answer: { ...answer, heldBack: true } };
}

/** 503: the sender tries again. @param cause why, for the log alone */
export const unavailable = (code: string, detail = "The webhook could not be stored. Send it again.", cause?: string): Outcome => ({
  ...reject(503, code, "Not stored", detail, { "retry-after": "5" }),
  ...(cause && { cause }),
});
