import { problem } from "#lib/http/problem";
import type { ReceivingSource } from "#lib/ingest/source-lookup-store";
import { UNDECODED, type Undecoded } from "#lib/platform/content-coding";
import type { SenderAnswer } from "#lib/platform/schemes/challenges";
import { proofOf } from "#lib/platform/schemes/scheme";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import { SIGNATURE_HEADER, type Verification } from "#lib/platform/signature";

/** Header names are in lower case. */
export type WebhookRequest = {
  source: string;
  query?: string;
  method: string;
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array | "too_large" | "too_slow" | "overloaded";
  remoteAddress: string | null;
};

export function queryOf(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at + 1);
}

/** `heldBack`: answered late, so that a client with many connections slows itself down. */
export type WebhookAnswer = { status: number; headers: Record<string, string>; body: string; heldBack?: true };

/** `outcome` is counted. `stored` is for the trace, with times by the receiver's `elapsed`. `cause`: why it was not stored, for the log. */
export type Outcome = { outcome: string; answer: WebhookAnswer; stored?: StoredEvent; cause?: string };

export type StoredEvent = { sourceId: string; eventId: string; type: string; verifiedAt: number; committedAt: number; groupSize: number };

export type Rejection = Exclude<Verification, { outcome: "verified" | "certificate_unknown" }>;
type Failed = Rejection["outcome"];
type Words = [title: string, detail: string];

const WORDS: Partial<Record<Failed, Words>> = {
  signature_missing: ["The signature is missing", `Send the header ${SIGNATURE_HEADER}.`],
  signature_malformed: ["The signature is malformed", `${SIGNATURE_HEADER} must be exactly 64 hexadecimal digits.`],
  signature_repeated: ["The signature was sent more than once", `Send the header ${SIGNATURE_HEADER} once.`],
  signature_mismatch: [
    "The signature does not match",
    "Sign the exact bytes of the body with this source's secret (HMAC-SHA256, hexadecimal).",
  ],
};

const OTHERS: Record<Failed, (sender: string, proof: string) => Words> = {
  signature_missing: (sender, proof) => ["The signature is missing", `Requests from ${sender} have ${proof}.`],
  signature_malformed: (sender, proof) => ["The signature is malformed", `Requests from ${sender} have ${proof}, in another format.`],
  signature_repeated: (_, proof) => ["The signature was sent more than once", `Send ${proof} once.`],
  signature_mismatch: (sender) => ["The signature does not match", `Check that this source's secret is the one that ${sender} signs with.`],
  signature_expired: () => [
    "The signature is too old",
    "The signature is valid, but its timestamp is too far from the time of receipt. Check the sender's clock, or send it again.",
  ],
  network_unknown: () => ["The sender's network isn't listed", "Add its IP address to this source's networks."],
};

export function signatureWords(result: Rejection, { template, scheme }: Pick<ReceivingSource, "template" | "scheme">): Words {
  if (result.outcome === "signature_mismatch" && result.difference)
    return [
      "The body says more than what was signed",
      `The signature belongs to JSON of the same value, but ${result.difference}. Send the bytes that were signed.`,
    ];
  return (
    (template === "platform" ? WORDS[result.outcome] : undefined) ?? OTHERS[result.outcome](TEMPLATES[template].title, proofOf(scheme))
  );
}

export const answerChallenge = (answer: SenderAnswer): Outcome => ({ outcome: "challenge", answer });

export const json = (status: number, body: unknown): WebhookAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** Returns a problem (RFC 9457) with a stable code. */
export function reject(status: number, code: string, title: string, detail?: string, headers: Record<string, string> = {}): Outcome {
  const body = JSON.stringify(problem(status, code, title, detail));
  return { outcome: code, answer: { status, headers: { "content-type": "application/problem+json", ...headers }, body } };
}

export const tooLarge = (detail?: string): Outcome => reject(413, "too_large", "The body is larger than the limit", detail);

export const rejectUndecoded = (why: Undecoded): Outcome =>
  why === "too_large"
    ? tooLarge(UNDECODED.too_large)
    : reject(415, "content_encoding", "The body's content-encoding can't be read", UNDECODED.unreadable);

export const tooMany = (retryAfterSeconds: number): Outcome =>
  tooManyRequests("Too many rejected requests", "Fix the signature, then send again.", retryAfterSeconds);

export const tooManyConflicts = (retryAfterSeconds: number): Outcome =>
  tooManyRequests("Too many bodies that differ from the stored event's", "Give each event an ID of its own.", retryAfterSeconds);

export const tooManyUnknown = (retryAfterSeconds: number): Outcome =>
  tooManyRequests("Too many requests for sources that don't exist", "Check the source's name at the end of the URL.", retryAfterSeconds);

function tooManyRequests(title: string, detail: string, retryAfterSeconds: number): Outcome {
  const { outcome, answer } = reject(429, "too_many_requests", title, detail, { "retry-after": String(retryAfterSeconds) });
  return { outcome, answer: { ...answer, heldBack: true } };
}

/** Returns 503, so that the sender tries again. @param cause for the log alone */
export const unavailable = (code: string, detail = "The webhook could not be stored. Send it again.", cause?: string): Outcome => ({
  ...reject(503, code, "Not stored", detail, { "retry-after": "5" }),
  ...(cause && { cause }),
});
