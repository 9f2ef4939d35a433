import { isDeepStrictEqual } from "node:util";
import { env } from "#lib/config/env";
import { isSourceName } from "#lib/contracts/sources/templates";
import { announcedLength } from "#lib/http/request-body";
import { KEPT_UNVERIFIED_BYTES } from "#lib/ingest/quarantine-insert-store";
import type { NewEvent, Receipt } from "#lib/ingest/receipt";
import type { RejectionVerdict } from "#lib/ingest/receiver-limits";
import { QueueFull } from "#lib/ingest/receiver-log";
import type { SourceLookup } from "#lib/ingest/source-cache";
import type { ReceivingSource } from "#lib/ingest/source-lookup-store";
import { isCoded, undecodedReading } from "#lib/platform/content-coding";
import { describeType } from "#lib/platform/event-catalogue";
import { readEvents } from "#lib/platform/read-event";
import { requestUrl } from "#lib/platform/schemes/sender-requests";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import { hasLearned } from "#lib/platform/schemes/unsigned-schemes";
import { SIGNATURE_HEADER, type SigningSecret, type Verification, verifyRaw, verifyReserialized } from "#lib/platform/signature";
import { answerQuestion, answerSigned, asksBy, asksWithNothing, inSendersWords, isLearning } from "./answer-challenges.ts";
import { bodyToKeep, headersToKeep, hold, keepConflicting, quarantine } from "./keep-webhook.ts";
import type { Receiver } from "./receiver.ts";
import {
  json,
  type Outcome,
  queryOf,
  type Rejection,
  reject,
  rejectUndecoded,
  type StoredEvent,
  signatureWords,
  tooLarge,
  tooMany,
  tooManyConflicts,
  tooManyUnknown,
  unavailable,
  type WebhookAnswer,
  type WebhookRequest,
} from "./webhook-answers.ts";

/** Receives one webhook: verifies, parses, stores and answers it. A 2xx means that it is on disk. Never throws. */
export async function receiveWebhook(receiver: Receiver, request: WebhookRequest): Promise<WebhookAnswer> {
  const { clock, metrics } = receiver;
  const started = clock.elapsed();
  const { outcome, answer, stored, cause } = await receive(receiver, request).catch(failed);
  metrics.webhookRequests.inc({ outcome });
  if (answer.status === 503) receiver.notStored.note({ outcome, ...(cause && { cause }) });
  noteOutage(receiver, request.source, outcome, answer.status);
  if (receiver.tracing !== null) traceAnswer(receiver, request, { outcome, status: answer.status, started, stored: stored ?? null });
  if (answer.status === 200) metrics.acknowledgement.observe((clock.elapsed() - started) / 1000);
  return answer;
}

/** Answers an unexpected error as not stored, so that the sender tries again. */
function failed(error: Error): Outcome {
  return unavailable("unavailable", undefined, `an unexpected error: ${error.name}`);
}

/** Returns 503 with the reason for the log: the receiver's own failure, or a timeout. */
function notStored({ health }: Receiver): Outcome {
  const state = health.state();
  return unavailable("unavailable", undefined, state.ok ? "the database did not answer in time" : state.why);
}

/** Returns 503, also while a vault key is missing: the webhook is sent again and verified then. */
function withoutSecret({ sealed }: ReceivingSource): Outcome {
  if (sealed > 0)
    return unavailable(
      "vault_key_missing",
      "This source's signing secret can't be decrypted: a key is missing from VAULT_KEYS. Send the webhook again.",
    );
  return unavailable("source_without_secret", "This source has no signing secret yet. Add one in Settings.");
}

type Answered = { outcome: string; status: number; started: number; stored: StoredEvent | null };

/** Makes the spans when the request is answered: before that, nothing in it is verified. */
function traceAnswer({ tracing, clock }: Receiver, request: WebhookRequest, { outcome, status, started, stored }: Answered): void {
  const since1970 = clock.now() - clock.elapsed();
  tracing?.webhook({
    source: request.source,
    traceparent: request.headers.traceparent,
    startMs: since1970 + started,
    endMs: clock.now(),
    outcome,
    status,
    stored: stored && { ...stored, verifiedMs: since1970 + stored.verifiedAt, committedMs: since1970 + stored.committedAt },
  });
}

async function receive(receiver: Receiver, request: WebhookRequest): Promise<Outcome> {
  // 1. A request that was read, or could not be.
  if (!METHODS.has(request.method)) return methodNotAllowed();
  if (request.body === "overloaded") return unavailable("overloaded", "Too many webhooks are being received. Send this one again.");
  if (request.body === "too_slow") return reject(408, "too_slow", "The body took too long", "Send the whole body within 10 seconds.");
  // 2. Its source, and the secrets that are valid now.
  const now = receiver.clock.now();
  const lookup = await findSource(receiver, request);
  if (lookup.outcome !== "found") return withoutSource(receiver, request, lookup);
  const { source } = lookup;
  const isPost = request.method === "POST";
  if (!isPost && !asksBy(source, request.method)) return methodNotAllowed();
  const secrets = source.secrets.filter(({ validUntil }) => !validUntil || validUntil.getTime() > now);
  const isWithout = secrets.length === 0 && (source.scheme.needsSecret || hasLearned(source.scheme, now));
  if (isWithout && !isLearning(source, now)) return withoutSecret(source);
  // 3. A question of the sender, which is answered and not stored.
  const question = await answerQuestion(receiver, request, source, secrets);
  if (question !== null) return question;
  if (isWithout) return withoutSecret(source);
  // 4. A body that a signature can cover.
  if (!isPost) return methodNotAllowed();
  const { body } = request;
  if (body === "too_large") return tooLarge();
  // 5. Its signature, then the log, quarantine or an answer that rejects it.
  const checked = await verify(receiver, request, body, source, secrets);
  switch (checked.outcome) {
    case "verified":
      if (checked.refetch !== undefined) void refetch(receiver, source, checked.refetch);
      return store(receiver, request, body, source, checked);
    case "certificate_unknown":
      return askForCertificate(receiver, source, checked.url);
    case "limited":
      receiver.rejections.note(source.id, { rejected: 1, kept: 0 });
      return tooMany(checked.retryAfterSeconds);
    default:
      return rejectUnverified(receiver, request, body, source, checked);
  }
}

/** A limit on what costs the receiver work was reached. */
type Limited = { outcome: "limited"; retryAfterSeconds: number };
type Lookup = SourceLookup | Limited;

const methodNotAllowed = (): Outcome => reject(405, "method_not_allowed", "Webhooks must be sent with POST", undefined, { allow: "POST" });

const NO_NAME = "The URL names no source. Each source has its own: /webhooks/ and its name";

/** Events come by POST; the others only ask. */
const METHODS: ReadonlySet<string> = new Set(["POST", "GET", "HEAD", "OPTIONS"]);

/** Answers a request without a source. What is no POST is answered 405, unless it may be a sender's question while that can't be known. */
function withoutSource(receiver: Receiver, { method, source }: WebhookRequest, lookup: Exclude<Lookup, { outcome: "found" }>): Outcome {
  if (lookup.outcome === "unavailable") return notStored(receiver);
  if (method !== "POST") return methodNotAllowed();
  if (lookup.outcome === "limited") return tooManyUnknown(lookup.retryAfterSeconds);
  return reject(404, "unknown_source", source === "" ? NO_NAME : "No source with that name");
}

/** Checks limits before the database. The names are read again in the background, so that a new source is served in spite of the limit. */
async function findSource({ sources, limits }: Receiver, { source, remoteAddress }: WebhookRequest): Promise<Lookup> {
  if (!sources.isListed(source)) {
    const retryAfterSeconds = await limits.unknownNameWait(remoteAddress);
    if (retryAfterSeconds !== null) {
      sources.refreshNames();
      return { outcome: "limited", retryAfterSeconds };
    }
  }
  const lookup = await sources.find(source);
  if (lookup.outcome !== "unknown") return lookup;
  const retryAfterSeconds = await limits.countUnknownName(remoteAddress);
  return retryAfterSeconds === null ? lookup : { outcome: "limited", retryAfterSeconds };
}

/** Checks the platform's raw bytes first, then the costly second form within its budget; other senders by their scheme. */
async function verify(
  { reserializing, webhookUrl, clock }: Receiver,
  request: WebhookRequest,
  body: Uint8Array,
  source: ReceivingSource,
  secrets: readonly SigningSecret[],
): Promise<Verification | Limited> {
  const { id: sourceId, name, template, scheme } = source;
  const { headers, query = "", remoteAddress } = request;
  const coded = isCoded(headers["content-encoding"]);
  const maxBytes = env().WEBHOOK_MAX_BYTES;
  const bytes = coded ? maxBytes : body.length; // a few bytes may decode to as many
  const withinBudget = async (check: () => Verification): Promise<Verification | Limited> => {
    const spent = await reserializing.spend({ sourceId, remoteAddress, bytes }, () => {
      const result = check();
      return { result, inVain: result.outcome !== "verified" };
    });
    return "result" in spent ? spent.result : { outcome: "limited", ...spent };
  };
  if (template !== "platform" || coded) {
    const url = requestUrl(webhookUrl, name, query);
    const sent = { body, headers, url, remoteAddress, maxBytes };
    const check = () => scheme.verify(sent, secrets, clock.now());
    const found = scheme.costly || coded ? await withinBudget(check) : check();
    return found.outcome === "verified" && isTooLate(found, source) ? { outcome: "signature_expired", secretId: found.secretId } : found;
  }
  const header = headers[SIGNATURE_HEADER];
  const raw = verifyRaw(body, header, secrets);
  return raw.outcome === "signature_mismatch" ? withinBudget(() => verifyReserialized(body, String(header), secrets)) : raw;
}

/** True for a late request, unless the source keeps late ones and reads the ID where the sender signs it. */
const isTooLate = ({ form }: Verified, { template, reading: { event }, keepLate }: ReceivingSource): boolean =>
  form === "signed_late" && !(keepLate && isDeepStrictEqual(event?.id, TEMPLATES[template].reading?.id));

type Verified = Extract<Verification, { outcome: "verified" }>;

async function store(
  receiver: Receiver,
  request: WebhookRequest,
  received: Uint8Array,
  source: ReceivingSource,
  verified: Verified,
): Promise<Outcome> {
  const verifiedAt = receiver.clock.elapsed();
  const receivedAt = new Date(receiver.clock.now());
  const body = bodyToKeep(verified.signed ?? received, source);
  const taken = (answer: WebhookAnswer) => inSendersWords(answer, source, request);
  const reading = verified.undecoded
    ? undecodedReading(verified.undecoded)
    : readEvents({ body, headers: request.headers, query: request.query ?? "", receivedAt }, source.reading);
  try {
    const challenge = await answerSigned(receiver, request, verified.signed ?? received, source, verified);
    if (challenge !== null) return challenge;
    if (reading.outcome !== "events") {
      await quarantine(receiver, request, bodyToKeep(received, source, request), source, {
        reason: reading.outcome,
        detail: reading.detail,
        verified,
      });
      return { outcome: reading.outcome, answer: taken(json(202, { received: true, quarantined: reading.outcome })) };
    }
    if (source.paused && (await hold(receiver, request, bodyToKeep(received, source, request), source, verified)))
      return { outcome: "source_paused", answer: taken(json(202, { received: true, quarantined: "source_paused" })) };
    const headers = await headersToKeep(request, source);
    const events = reading.events.map(
      (read): NewEvent => ({
        workspaceId: source.workspaceId,
        sourceId: source.id,
        eventId: read.envelope.id,
        type: read.envelope.type,
        created: read.envelope.created,
        recognised: source.reading.records !== "platform" || describeType(read.envelope.type) !== null,
        signatureForm: verified.form,
        secretId: verified.secretId,
        body: read.body,
        receivedBody: verified.signed !== undefined && read.body === body && !source.scheme.secretInBody ? received : null,
        headers,
        remoteAddress: request.remoteAddress,
        receivedAt,
      }),
    );
    const appended = await append(receiver, events, source, verified, verifiedAt);
    return { ...appended, answer: taken(appended.answer) };
  } catch (error) {
    if (error instanceof QueueFull) return unavailable("overloaded", "Too many webhooks are waiting to be stored. Send this one again.");
    return notStored(receiver); // NotCommitted: the sender retries, and a repeat is harmless
  }
}

/** @throws NotCommitted, QueueFull: then none is stored */
async function append(
  receiver: Receiver,
  events: NewEvent[],
  source: ReceivingSource,
  verified: Verified,
  verifiedAt: number,
): Promise<Outcome> {
  const [first] = events;
  if (!first) throw new Error("a request that was read holds an event");
  const isList = source.reading.event?.items !== undefined;
  const receipts = isList ? await receiver.log.appendTogether(events) : [await receiver.log.append(first)];
  const conflicting = events.filter((_, index) => receipts[index]?.outcome === "conflict");
  const wait = await keepConflicting(receiver, source, first.remoteAddress, conflicting);
  if (wait !== null) return tooManyConflicts(wait);
  if (conflicting.length === 0 && verified.form !== "reserialized" && receipts.some(({ outcome }) => outcome === "stored"))
    receiver.reserializing.noteVerified({ sourceId: source.id, remoteAddress: first.remoteAddress });
  const [receipt] = receipts;
  const committed = { committedAt: receiver.clock.elapsed(), groupSize: receipt?.groupSize ?? 1 };
  const stored = { sourceId: source.id, eventId: first.eventId, type: first.type, verifiedAt, ...committed };
  const said = events.map(({ eventId }, index) => ({ id: eventId, ...wordsOf(receipts[index]) }));
  const fresh = receipts.find(({ outcome }) => outcome === "stored") ?? receipt;
  return {
    outcome: fresh?.outcome ?? "stored",
    answer: json(200, isList ? { received: true, events: said } : { received: true, ...said[0] }),
    stored,
  };
}

function wordsOf(receipt: Receipt | undefined): { duplicate: boolean; conflict?: true } {
  return { duplicate: receipt?.outcome !== "stored", ...(receipt?.outcome === "conflict" && { conflict: true }) };
}

async function rejectUnverified(
  receiver: Receiver,
  request: WebhookRequest,
  body: Uint8Array,
  source: ReceivingSource,
  result: Rejection,
): Promise<Outcome> {
  const { outcome, undecoded } = result;
  const bytes = undecoded ? null : Math.min(body.length, KEPT_UNVERIFIED_BYTES);
  const verdict: RejectionVerdict = await receiver.limits.check(source.id, request.remoteAddress, bytes);
  const [title, detail] = signatureWords(result, source);
  // Nothing is lost when this can't be kept: the request was rejected either way.
  const why = { reason: outcome, detail, verified: null };
  const kept = () => bodyToKeep(body, source, request, KEPT_UNVERIFIED_BYTES);
  const keep = () => quarantine(receiver, request, kept(), source, why).then(Boolean, () => false);
  const isKept = verdict.keep && !asksWithNothing(source, request) && (await keep());
  receiver.rejections.note(source.id, { rejected: 1, kept: isKept ? 1 : 0 });
  if (verdict.retryAfterSeconds !== null) return tooMany(verdict.retryAfterSeconds);
  return undecoded ? rejectUndecoded(undecoded) : reject(401, outcome, title, detail);
}

/** Has a worker fetch the unknown signing certificate; the sender repeats the message. */
async function askForCertificate(receiver: Pick<Receiver, "fetches">, source: ReceivingSource, url: string): Promise<Outcome> {
  await refetch(receiver, source, url);
  return unavailable(
    "certificate_not_fetched",
    "Signalbox is fetching the certificate that it is signed with. Send it again in a few seconds.",
  );
}

/** Has a worker fetch a sender's keys again, so that one that was withdrawn doesn't count for long. */
const refetch = ({ fetches }: Pick<Receiver, "fetches">, { workspaceId, id: sourceId }: ReceivingSource, url: string) =>
  fetches.ask({ workspaceId, sourceId, kind: "certificate", url }).catch(() => undefined);

/** Places for names that may belong to no source, so that made-up ones leave room for the others. */
const MAX_UNKNOWN = 1000;

/** Counts a 503 or 429 answer by source and minute. A certificate that is fetched first is no outage: the sender repeats the message. */
export function noteOutage({ outages, sources }: Pick<Receiver, "outages" | "sources">, source: string, outcome: string, status: number) {
  if ((status !== 503 && status !== 429) || outcome === "certificate_not_fetched") return;
  const counts = { unavailable: status === 503 ? 1 : 0, limited: status === 429 ? 1 : 0 };
  if (sources.isListed(source)) outages.note(source, counts);
  // The names are not loaded yet: whether it is a source's is decided when it is written.
  else if (status === 503 && isSourceName(source)) outages.note(source, counts, MAX_UNKNOWN);
}

type RouteHandler = (request: Request, context: { params: Promise<{ source: string }> }) => Promise<Response>;

/** @param receiver asked at each request: a build loads the route without a database */
export const webhookRoute =
  (receiver: () => Receiver): RouteHandler =>
  async (request, context) => {
    const { source } = await context.params;
    const limits = { maxBytes: env().WEBHOOK_MAX_BYTES, contentLength: announcedLength(request.headers.get("content-length")) };
    return receiver().bodies.read(request.body, limits, async (body) => {
      if (body === "aborted") return new Response(null, { status: 400 });
      const headers = Object.fromEntries(request.headers);
      // No IP address: behind another host's proxy, the headers that name one can't be trusted.
      const answer = await receiveWebhook(receiver(), {
        source,
        query: queryOf(request.url),
        method: request.method,
        headers,
        body,
        remoteAddress: null,
      });
      const nothing = request.method === "HEAD";
      return new Response(nothing ? null : answer.body, { status: answer.status, headers: answer.headers });
    });
  };
