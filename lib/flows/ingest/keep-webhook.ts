import { MAX_CONFLICT_BYTES } from "#lib/ingest/conflict-store";
import type { NewQuarantinedRequest } from "#lib/ingest/quarantine-insert-store";
import { keptHeaders, type NewEvent } from "#lib/ingest/receipt";
import type { ReceivingSource } from "#lib/ingest/source-lookup-store";
import { SECRET_NOT_KEPT } from "#lib/platform/diagnosis/header-form";
import { replaceStrings } from "#lib/platform/json-strings";
import { MASKED, QUERY_HEADER } from "#lib/platform/schemes/kept-request";
import type { Verification } from "#lib/platform/signature";
import { KEPT_UNVERIFIED_BYTES } from "#lib/quarantine/quarantine-store";
import { withSealed } from "#lib/vault/sealed-headers";
import type { Receiver } from "./receiver.ts";
import type { WebhookRequest } from "./webhook-request.ts";

type Verified = Extract<Verification, { outcome: "verified" }>;
/** Reason to keep a request, and its proof; null where it has none. */
type Why = Pick<NewQuarantinedRequest, "reason" | "detail"> & { verified: Verified | null };

/** Keeps a request that is no event. @returns its ID */
export const quarantine = async (
  receiver: Receiver,
  request: WebhookRequest,
  body: Uint8Array,
  source: ReceivingSource,
  why: Why,
): Promise<string> => receiver.log.quarantine(await entryOf(receiver, request, body, source, why));

/** Keeps a verified request of a paused source. @returns its ID; null when the source is not paused any more */
export const hold = async (
  receiver: Receiver,
  request: WebhookRequest,
  body: Uint8Array,
  source: ReceivingSource,
  verified: Verified,
): Promise<string | null> =>
  receiver.log.hold(
    await entryOf(receiver, request, body, source, { reason: "source_paused", detail: "The source was paused.", verified }),
  );

/** Keeps what conflicts within the limits of what is rejected. @returns the seconds to wait; null when it is kept */
export async function keepConflicting(
  { limits, log }: Receiver,
  source: ReceivingSource,
  remoteAddress: string | null,
  events: NewEvent[],
): Promise<number | null> {
  if (events.length === 0) return null;
  const bytes = events.reduce((sum, { body }) => sum + Math.min(body.length, MAX_CONFLICT_BYTES), 0);
  const verdict = await limits.check(source.id, remoteAddress, bytes);
  if (verdict.retryAfterSeconds === null) await log.keepConflicts(events, verdict.keep);
  return verdict.retryAfterSeconds;
}

async function entryOf(
  { clock }: Receiver,
  request: WebhookRequest,
  body: Uint8Array,
  source: ReceivingSource,
  { reason, detail, verified }: Why,
): Promise<NewQuarantinedRequest> {
  return {
    reason,
    detail,
    workspaceId: source.workspaceId,
    sourceId: source.id,
    receivedAt: new Date(clock.now()),
    verified: verified !== null,
    secretId: verified?.secretId ?? null,
    signatureForm: verified?.form ?? null,
    body: verified ? body : body.subarray(0, KEPT_UNVERIFIED_BYTES),
    bodyBytes: body.length,
    headers: withoutSecrets(await headersToKeep(request, source), source),
    remoteAddress: request.remoteAddress,
    reading: source.reading,
  };
}

/**
 * Headers as they are kept. The query stands beside them where a sender may have signed it, or a reading of the source's own may look into
 * it. A header that carries the proof may have a secret's name: then it is masked in clear, and sealed beside.
 */
export async function headersToKeep({ headers, query = "" }: WebhookRequest, source: ReceivingSource): Promise<Record<string, string>> {
  const kept = keptHeaders(headers, source.scheme.secretHeader);
  if (source.template === "platform" && source.reading.event === null) return kept;
  const clear = withoutSecrets({ ...kept, ...(query !== "" && { [QUERY_HEADER]: query }) }, source);
  const proof = proofToSeal(headers, clear, source);
  return proof === null ? clear : withSealed(clear, proof, { workspaceId: source.workspaceId, sourceId: source.id });
}

/** The secret of a token scheme is kept nowhere, and neither is a signing secret that was sent in place of a signature. */
function proofToSeal(headers: WebhookRequest["headers"], clear: Record<string, string>, source: ReceivingSource) {
  const { scheme } = source;
  const masked = scheme.headers.filter((name) => clear[name] === MASKED && name !== scheme.secretHeader);
  if (masked.length === 0) return null;
  const proof = Object.fromEntries(masked.map((name) => [name, [headers[name]].flat().join(", ")]));
  return withoutSecrets(proof, source);
}

/** A sender that is set up wrongly may put the secret itself where the signature belongs: then it must not be kept. */
function withoutSecrets(headers: Record<string, string>, { secrets }: ReceivingSource): Record<string, string> {
  const hold = (text: string) => secrets.some(({ value }) => text.includes(value) || text.includes(encodeURIComponent(value)));
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, hold(text) ? SECRET_NOT_KEPT : text]));
}

/** The bytes of a request as they are kept: without the secrets that are valid, where the sender sends one along in them. */
export function bodyToKeep(body: Uint8Array, { scheme, secrets }: ReceivingSource): Uint8Array {
  if (!scheme.secretInBody) return body;
  const values = new Set(secrets.map(({ value }) => value));
  const text = Buffer.from(body).toString();
  let masked = replaceStrings(text, (string) => (values.has(string) ? MASKED : string));
  // If it is no JSON, its quotes may be in other places than those that were read.
  for (const value of values) masked = masked.replaceAll(JSON.stringify(value), JSON.stringify(MASKED));
  return masked === text ? body : Buffer.from(masked);
}
