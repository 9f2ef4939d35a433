import type { QuarantineReason } from "#lib/contracts/quarantine";
import { QueueFull } from "#lib/events/group-commit";
import { KEPT_REFUSED_BYTES } from "#lib/events/quarantine-store";
import { keptHeaders } from "#lib/events/receipt";
import { ReceiverLog } from "#lib/events/receiver-log";
import { type ReceivingSource, SourceCache } from "#lib/events/source-lookup-store";
import { problem } from "#lib/http/problem";
import { RefusalLimits, type RefusalVerdict } from "#lib/http/refusal-limits";
import { metrics } from "#lib/observability/metrics";
import { SECRET_NOT_KEPT } from "#lib/platform/diagnosis/header-form";
import { readEnvelope } from "#lib/platform/envelope";
import { describeType } from "#lib/platform/event-catalogue";
import { SIGNATURE_HEADER, type SigningSecret, type Verification, verifyRaw, verifyReserialized } from "#lib/platform/signature";

/** A webhook request as plain data, independent of any framework. Header names are in small letters. */
export type WebhookRequest = {
  source: string;
  method: string;
  headers: Record<string, string | string[] | undefined>;
  /** The raw bytes, or why there are none. */
  body: Uint8Array | "too_large" | "too_slow" | "overloaded";
  remoteAddress: string | null;
};

export type WebhookAnswer = { status: number; headers: Record<string, string>; body: string };

type Receiver = { sources: SourceCache; log: ReceiverLog; limits: RefusalLimits };
const shared = globalThis as typeof globalThis & { signalboxReceiver?: Receiver };

function receiver(): Receiver {
  shared.signalboxReceiver ??= { sources: new SourceCache(), log: new ReceiverLog(), limits: new RefusalLimits() };
  return shared.signalboxReceiver;
}

/** Forgets caches, queues and counters; for tests. */
export function resetReceiver(): void {
  delete shared.signalboxReceiver;
}

/**
 * Receives one webhook: verify, parse, store, answer (the contract's answer
 * table). A 2xx means that it is on disk. Never throws.
 */
export async function receiveWebhook(request: WebhookRequest): Promise<WebhookAnswer> {
  const started = performance.now();
  const { outcome, answer } = await receive(request);
  metrics().webhookRequests.inc({ outcome });
  if (answer.status === 200) metrics().acknowledgement.observe((performance.now() - started) / 1000);
  return answer;
}

type Outcome = { outcome: string; answer: WebhookAnswer };

async function receive(request: WebhookRequest): Promise<Outcome> {
  if (request.method !== "POST") return refuse(405, "method_not_allowed", "Webhooks are sent with POST", undefined, { allow: "POST" });
  if (request.body === "overloaded") return unavailable("overloaded", "Too many webhooks are in hand just now. Send it again.");
  if (request.body === "too_slow") return refuse(408, "too_slow", "The body took too long", "Send all of it within 10 seconds.");
  const now = Date.now();
  const lookup = await receiver().sources.find(request.source, now);
  if (lookup.outcome === "unknown") return refuse(404, "unknown_source", "No source of that name");
  if (lookup.outcome === "unavailable") return unavailable();
  const secrets = lookup.source.secrets.filter(({ validUntil }) => !validUntil || validUntil.getTime() > now);
  if (secrets.length === 0) return unavailable("source_without_secret", "This source has no signing secret yet. Add one in Settings.");
  if (!isIdentityEncoded(request.headers["content-encoding"]))
    return refuse(415, "content_encoding", "Send the body without content-encoding", "The signature covers the bytes as they are sent.");
  if (request.body === "too_large") return refuse(413, "too_large", "The body is larger than this receiver takes");
  const checked = await verify(request, request.body, lookup.source.id, secrets);
  if ("retryAfterSeconds" in checked) return tooMany(checked.retryAfterSeconds);
  const { result } = checked;
  if (result.outcome !== "verified") return refuseUnverified(request, request.body, lookup.source, result);
  return store(request, request.body, lookup.source, result);
}

/** Raw bytes first; the second form, which may be costly, within its bounds. */
async function verify(request: WebhookRequest, body: Uint8Array, sourceId: string, secrets: readonly SigningSecret[]) {
  const header = request.headers[SIGNATURE_HEADER];
  const raw = verifyRaw(body, header, secrets);
  if (raw.outcome !== "signature_mismatch") return { result: raw };
  return receiver().limits.secondLook(sourceId, request.remoteAddress, () => {
    const result = verifyReserialized(body, String(header), secrets);
    return { result, inVain: result.outcome !== "verified" };
  });
}

async function store(
  request: WebhookRequest,
  body: Uint8Array,
  source: ReceivingSource,
  verified: Extract<Verification, { outcome: "verified" }>,
): Promise<Outcome> {
  const reading = readEnvelope(body);
  try {
    if (reading.outcome !== "envelope") {
      await quarantine(request, body, source, reading.outcome, reading.detail, true);
      return { outcome: reading.outcome, answer: json(202, { received: true, quarantined: reading.outcome }) };
    }
    const { id, type, created } = reading.envelope;
    const receipt = await receiver().log.append({
      workspaceId: source.workspaceId,
      sourceId: source.id,
      eventId: id,
      type,
      created,
      recognised: describeType(type) !== null,
      signatureForm: verified.form,
      secretId: verified.secretId,
      body,
      headers: keptHeaders(request.headers),
      remoteAddress: request.remoteAddress,
      receivedAt: new Date(),
    });
    const duplicate = receipt.outcome !== "stored";
    const conflict = receipt.outcome === "conflict" ? { conflict: true } : {};
    return { outcome: receipt.outcome, answer: json(200, { received: true, id, duplicate, ...conflict }) };
  } catch (error) {
    if (error instanceof QueueFull) return unavailable("overloaded", "Too many webhooks wait to be stored just now. Send it again.");
    return unavailable(); // NotCommitted: the sender retries, and a repeat is harmless
  }
}

const WORDS: Record<Exclude<Verification["outcome"], "verified">, [title: string, detail: string]> = {
  signature_missing: ["The signature is missing", `Send the header ${SIGNATURE_HEADER}.`],
  signature_malformed: ["The signature is malformed", `${SIGNATURE_HEADER} wants 64 hexadecimal digits and nothing else.`],
  signature_repeated: ["The signature came more than once", `Send the header ${SIGNATURE_HEADER} once.`],
  signature_mismatch: [
    "The signature does not match",
    "Sign the exact bytes of the body with this source's secret (HMAC-SHA256, hexadecimal).",
  ],
};

async function refuseUnverified(
  request: WebhookRequest,
  body: Uint8Array,
  source: ReceivingSource,
  { outcome }: Exclude<Verification, { outcome: "verified" }>,
): Promise<Outcome> {
  const verdict: RefusalVerdict = await receiver().limits.judge(
    source.id,
    request.remoteAddress,
    Math.min(body.length, KEPT_REFUSED_BYTES),
  );
  if (verdict.retryAfterSeconds !== null) return tooMany(verdict.retryAfterSeconds);
  const [title, detail] = WORDS[outcome];
  // Nothing is lost when this can't be kept: the request was refused either way.
  if (verdict.keep) await quarantine(request, body, source, outcome, detail, false).catch(() => undefined);
  return refuse(401, outcome, title, detail);
}

function quarantine(
  request: WebhookRequest,
  body: Uint8Array,
  source: ReceivingSource,
  reason: QuarantineReason,
  detail: string,
  verified: boolean,
): Promise<string> {
  return receiver().log.quarantine({
    workspaceId: source.workspaceId,
    sourceId: source.id,
    receivedAt: new Date(),
    reason,
    detail,
    verified,
    body: verified ? body : body.subarray(0, KEPT_REFUSED_BYTES),
    bodyBytes: body.length,
    headers: withoutSecrets(keptHeaders(request.headers), source),
    remoteAddress: request.remoteAddress,
  });
}

/** A sender that is set up wrongly may put the secret itself where the signature belongs: then it must not be kept. */
function withoutSecrets(headers: Record<string, string>, { secrets }: ReceivingSource): Record<string, string> {
  const hold = (text: string) => secrets.some(({ value }) => text.includes(value));
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, hold(text) ? SECRET_NOT_KEPT : text]));
}

const isIdentityEncoded = (header: string | string[] | undefined) =>
  header === undefined || header === "" || header.toString().toLowerCase() === "identity";

const json = (status: number, body: unknown): WebhookAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

function refuse(status: number, code: string, title: string, detail?: string, headers: Record<string, string> = {}): Outcome {
  const body = JSON.stringify(problem(status, code, title, detail));
  return { outcome: code, answer: { status, headers: { "content-type": "application/problem+json", ...headers }, body } };
}

const tooMany = (retryAfterSeconds: number): Outcome =>
  refuse(429, "too_many_requests", "Too many refused requests", "Mend the signature, then send again.", {
    "retry-after": String(retryAfterSeconds),
  });

const unavailable = (code = "unavailable", detail = "It could not be stored just now. Send it again."): Outcome =>
  refuse(503, code, "Not stored", detail, { "retry-after": "5" });
