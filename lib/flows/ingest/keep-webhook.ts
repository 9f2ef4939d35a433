import { env } from "#lib/config/env";
import { MAX_CONFLICT_BYTES } from "#lib/ingest/log-store";
import type { NewQuarantinedRequest } from "#lib/ingest/quarantine-insert-store";
import { KEPT_UNVERIFIED_BYTES } from "#lib/ingest/quarantine-insert-store";
import { keptHeaders, type NewEvent } from "#lib/ingest/receipt";
import type { ReceivingSource } from "#lib/ingest/source-lookup-store";
import { decodeBody } from "#lib/platform/content-coding";
import { replaceStrings } from "#lib/platform/json-text";
import { MASKED, maskedQuery, QUERY_HEADER } from "#lib/platform/schemes/sender-requests";
import type { Verification } from "#lib/platform/signature";
import { SECRET_NOT_KEPT } from "#lib/platform/signature";
import { withSealed } from "#lib/vault/sealed-values";
import type { Receiver } from "./receiver.ts";
import type { WebhookRequest } from "./webhook-answers.ts";

type Verified = Extract<Verification, { outcome: "verified" }>;
/** `verified` is null without a proof. */
type Why = Pick<NewQuarantinedRequest, "reason" | "detail"> & { verified: Verified | null };

export const quarantine = async (
  receiver: Receiver,
  request: WebhookRequest,
  body: Uint8Array,
  source: ReceivingSource,
  why: Why,
): Promise<string> => receiver.log.quarantine(await entryOf(receiver, request, body, source, why));

/** Keeps a verified request of a paused source. Returns its ID; null when the source is not paused any more. */
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

/** Keeps conflicting events within the limits of rejected ones. Returns the seconds to wait; null when kept. */
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

/** Returns the headers to keep, with the query where it may be signed or read. A proof under a secret's name is masked, and sealed too. */
export async function headersToKeep({ headers, query = "" }: WebhookRequest, source: ReceivingSource): Promise<Record<string, string>> {
  const kept = keptHeaders(headers, source.scheme.secretHeader);
  if (source.template === "platform" && source.reading.event === null) return kept;
  const shown = maskedQuery(query, source.scheme);
  const clear = withoutSecrets({ ...kept, ...(query !== "" && { [QUERY_HEADER]: shown }) }, source);
  const proof = proofToSeal(headers, clear, source, shown === query ? "" : query);
  return proof === null ? clear : withSealed(clear, proof, { workspaceId: source.workspaceId, sourceId: source.id });
}

/** Returns the proof to seal, without the secret of a token scheme or a secret that was sent in place of a signature. */
function proofToSeal(headers: WebhookRequest["headers"], clear: Record<string, string>, source: ReceivingSource, query: string) {
  const { scheme } = source;
  const masked = scheme.headers.filter((name) => clear[name] === MASKED && name !== scheme.secretHeader);
  if (masked.length === 0 && query === "") return null;
  const proof = Object.fromEntries(masked.map((name) => [name, [headers[name]].flat().join(", ")]));
  return withoutSecrets({ ...proof, ...(query !== "" && { [QUERY_HEADER]: query }) }, source);
}

/** Masks the secret itself, which a misconfigured sender may put where the signature belongs. */
function withoutSecrets(headers: Record<string, string>, { secrets }: ReceivingSource): Record<string, string> {
  const hold = (text: string) => secrets.some(({ value }) => text.includes(value) || text.includes(encodeURIComponent(value)));
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, hold(text) ? SECRET_NOT_KEPT : text]));
}

/** Masks the valid secrets, where the sender sends one along in the body. @param coded its headers, for a body that isn't decoded yet */
export function bodyToKeep(
  body: Uint8Array,
  { scheme, secrets, challenges }: ReceivingSource,
  coded?: Pick<WebhookRequest, "headers">,
  maxBytes: number = env().WEBHOOK_MAX_BYTES,
): Uint8Array {
  const mayHoldSecret = scheme.secretInBody || challenges.some(({ learning }) => learning?.secret !== undefined);
  if (!mayHoldSecret) return body;
  const values = new Set(secrets.map(({ value }) => value));
  const decoded = coded ? decodeBody(body, coded.headers["content-encoding"], maxBytes) : null;
  const text = decoded?.ok === false ? "" : Buffer.from(decoded?.body ?? body).toString();
  let masked = replaceStrings(text, (string) => (values.has(string) ? MASKED : string));
  // If it is no JSON, its quotes may be in other places than those that were read.
  for (const value of values) masked = masked.replaceAll(JSON.stringify(value), JSON.stringify(MASKED));
  return masked === text && decoded === null ? body : Buffer.from(masked);
}
