import type pg from "pg";
import { actorName } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Operation } from "#lib/contracts/operations";
import type { AcceptAgainBody, AcceptedAgain, ReleaseResult, ReleasesBody, ReleasesResult } from "#lib/contracts/quarantine";
import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { bodyToKeep } from "#lib/flows/ingest/keep-webhook";
import { processReceiver } from "#lib/flows/ingest/receiver";
import { type OperationWork, runQueued, showOperation } from "#lib/flows/operations/operations";
import type { NewEvent, Receipt } from "#lib/ingest/receipt";
import { ReceiverLog } from "#lib/ingest/receiver-log";
import { type ReceivingSource, readSource } from "#lib/ingest/source-lookup-store";
import { insertOperation } from "#lib/operations/operation-store";
import { decodedOf, withoutCoding } from "#lib/platform/content-coding";
import { describeType } from "#lib/platform/event-catalogue";
import { readingOf, readKept, type SourceReading } from "#lib/platform/read-event";
import { keptQuery, maskedProof, requestUrl } from "#lib/platform/schemes/sender-requests";
import { reserialize } from "#lib/platform/signature";
import { findQuarantined, type QuarantinedRequest } from "#lib/quarantine/quarantine-store";
import { countUnreleased, listUnreleased, lockQuarantined, markReleased } from "#lib/quarantine/review-store";
import { findReadings } from "#lib/sources/reading-store";
import { moveSecretEnd, type OpenedSecret, openKnownSecrets } from "#lib/sources/source-store";
import { systemClock } from "#lib/time/clock";
import { openHeaders } from "#lib/vault/sealed-values";

/** Requests a call. Unverified ones are short (64 KB); `listUnreleased` also bounds the bytes of verified ones. */
const A_CALL = 200;

/** For a request that verified before secrets were recorded. */
const UNKNOWN_SECRET = "unknown";

/** Makes queues of its own, so that what is released never holds up a webhook. */
const newLog = () => new ReceiverLog({ ...processReceiver(), pool: pool("receiver"), largePool: pool("receiver-large") });

type Reverification = { outcome: "passes"; events: NewEvent[] } | { outcome: "rejected"; reason: string };
/** `late`: a valid signature counts although its time was outside the tolerance. */
type Known = { source: ReceivingSource | null; reading: SourceReading; late: boolean };
type Headers = Record<string, string>;
type Passed = { entry: QuarantinedRequest; events: NewEvent[] };

/** Verifies one request again unless it verified on arrival, and stores its events; what does not verify stays. Null when there is none. */
export function releaseQuarantined(workspaceId: WorkspaceId, id: string, by: string, now: Date): Promise<ReleaseResult | null> {
  return inTransaction(pool(), async (client) => {
    await lockQuarantined(client, workspaceId, id);
    const entry = await findQuarantined(workspaceId, id, client);
    if (!entry) return null;
    const source = await readSource(pool("receiver"), entry.sourceName);
    const reading = readingOf(await findReadings(client, [entry.sourceId]), entry.sourceId);
    const headers = await openHeaders(entry.headers, entry);
    const reverification = reverify(entry, headers, { source, reading, late: true }, now);
    if (reverification.outcome === "rejected") return { released: false, eventId: null, reason: reverification.reason };
    const { events } = reverification;
    const { outcome } = await storeReleased(newLog(), events);
    await markReleased(client, workspaceId, [id], by);
    const repeated = outcome === "stored" ? null : "The log already has this event.";
    return { released: true, eventId: events[0]?.eventId ?? null, reason: repeated };
  });
}

/** Releases matching requests, oldest first, a bounded number a call; what can't be stored stays. Harmless to repeat, also at once. */
export async function releaseMatching(
  workspaceId: WorkspaceId,
  request: Pick<ReleasesBody, "filter" | "dryRun"> & Partial<Pick<ReleasesBody, "late" | "accept" | "cursor">>,
  by: string,
  now: Date,
): Promise<ReleasesResult> {
  const { filter, dryRun, late = false, accept, cursor } = request;
  if (!dryRun) return inTransaction(pool(), (client) => releasePage(client, workspaceId, { filter, late, cursor }, by, now));
  const { data, nextCursor } = await listUnreleased(pool(), workspaceId, filter, { limit: A_CALL, cursor }, { lock: false });
  const retired = accept === undefined ? [] : (await openKnownSecrets(workspaceId)).filter(({ id }) => id === accept);
  const counts = countOf(data, await findPassed(data, { late, retired, now }));
  return { dryRun, ...counts, released: 0, repeated: 0, failed: 0, nextCursor };
}

/** @param beforeStoring called before events are stored, which is done on other connections; it may throw */
async function releasePage(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  { filter, late, cursor, receivedUntil }: Pick<ReleasesBody, "filter" | "late" | "cursor"> & { receivedUntil?: string | undefined },
  by: string,
  now: Date,
  beforeStoring = async () => {},
): Promise<ReleasesResult> {
  const { data, nextCursor } = await listUnreleased(client, workspaceId, filter, { limit: A_CALL, cursor, receivedUntil }, { lock: true });
  const passed = await findPassed(data, { late, retired: [], now });
  const log = newLog();
  await beforeStoring();
  const receipts = await Promise.all(passed.map(({ events }) => storeReleased(log, events).catch(() => null)));
  const stored = passed.filter((_, index) => receipts[index] !== null).map(({ entry }) => entry.id);
  await markReleased(client, workspaceId, stored, by);
  return { dryRun: false, ...countOf(data, passed), ...countReceipts(receipts), nextCursor };
}

async function storeReleased(log: ReceiverLog, events: NewEvent[]): Promise<Receipt> {
  const [first] = events;
  const receipts = events.length === 1 && first ? [await log.append(first)] : await log.appendTogether(events);
  const conflicting = events.filter((_, index) => receipts[index]?.outcome === "conflict");
  if (conflicting.length > 0) await log.keepConflicts(conflicting, true);
  return receipts.find(({ outcome }) => outcome === "stored") ?? { outcome: "duplicate" };
}

/** `retired`: secrets that count as valid, in a dry run alone. */
type Judging = Pick<Known, "late"> & { retired: OpenedSecret[]; now: Date };

async function findPassed(entries: QuarantinedRequest[], { late, retired, now }: Judging): Promise<Passed[]> {
  const sources = await readSources(entries);
  const readings = await findReadings(pool(), [...new Set(entries.map(({ sourceId }) => sourceId))]);
  const opened = await Promise.all(entries.map((entry) => openHeaders(entry.headers, entry)));
  return entries.flatMap((entry, index) => {
    const source = sources.get(entry.sourceName) ?? null;
    const secrets = [...(source?.secrets ?? []), ...retired.filter(({ sourceId }) => sourceId === entry.sourceId)];
    const reading = readingOf(readings, entry.sourceId);
    const reverification = reverify(entry, opened[index] ?? {}, { source: source && { ...source, secrets }, reading, late }, now);
    return reverification.outcome === "passes" ? [{ entry, events: reverification.events }] : [];
  });
}

const countOf = (entries: QuarantinedRequest[], passed: Passed[]) => ({
  examined: entries.length,
  verifying: passed.length,
  stillQuarantined: entries.length - passed.length,
});

function countReceipts(receipts: (Receipt | null)[]): Pick<ReleasesResult, "released" | "repeated" | "failed"> {
  const released = receipts.filter((receipt) => receipt?.outcome === "stored").length;
  const failed = receipts.filter((receipt) => receipt === null).length;
  return { released, repeated: receipts.length - released - failed, failed };
}

/** Reads past the cache: the person who has just corrected a secret releases next. */
async function readSources(entries: QuarantinedRequest[]): Promise<Map<string, ReceivingSource | null>> {
  const names = [...new Set(entries.map(({ sourceName }) => sourceName))];
  return new Map(await Promise.all(names.map(async (name) => [name, await readSource(pool("receiver"), name)] as const)));
}

const rejected = (reason: string): Reverification => ({ outcome: "rejected", reason });

/** Verifies a request again. One that verified on arrival (202) needs no secret: its own may have been replaced since. */
function reverify(entry: QuarantinedRequest, headers: Headers, { source, reading, late }: Known, now: Date): Reverification {
  if (entry.releasedAt) return rejected("It was already released.");
  if (entry.body.length !== entry.bodyBytes)
    return rejected("Only the beginning of the body was stored, so it can't be verified. Ask the platform to send it again.");
  if (entry.verified) {
    return readEntry(entry, { headers, secretId: entry.secretId ?? UNKNOWN_SECRET, signed: signedBody(entry, source) }, reading, now);
  }
  if (!source) return rejected("Its source is archived. Restore it, then release this.");
  const masked = maskedProof(source.scheme, headers);
  if (masked !== null)
    return rejected(
      `It can't be verified again: its ${masked} was masked when it arrived, or its vault key was discarded. Ask the sender to send it again.`,
    );
  const { body, remoteAddress } = entry;
  const { WEBHOOK_URL, WEBHOOK_MAX_BYTES: maxBytes } = env();
  const url = requestUrl(WEBHOOK_URL, entry.sourceName, keptQuery(headers));
  // Its time is judged by its arrival. What came too late may be a copy: a person has to release it.
  const verification = source.scheme.verify({ body, headers, url, remoteAddress, maxBytes }, source.secrets, entry.receivedAt.getTime());
  if (verification.outcome === "signature_expired" && !late)
    return rejected(
      "It arrived too late and may be a replay. Check it, then release it individually, or include late requests in a bulk release.",
    );
  if (verification.outcome !== "verified" && verification.outcome !== "signature_expired")
    return rejected("Its signature still doesn't verify with this source's secrets.");
  return readEntry({ ...entry, body: bodyToKeep(body, source) }, { ...verification, headers }, reading, now);
}

/** Returns what was signed, where it differs from the bytes that came. */
function signedBody({ body, headers, signatureForm }: QuarantinedRequest, source: ReceivingSource | null): Uint8Array | undefined {
  const decoded = source?.scheme.unwrap?.(body) ?? decodedOf(body, headers) ?? undefined;
  const text = signatureForm === "reserialized" ? reserialize(decoded ?? body) : null;
  return text === null ? decoded : Buffer.from(text);
}

/** @param proof `headers`: opened; `signed`: the signed text, where it differs from the bytes that came */
function readEntry(
  entry: Omit<QuarantinedRequest, "body"> & { body: Uint8Array },
  { headers: opened, secretId, signed }: { headers: Headers; secretId: string; signed?: Uint8Array | undefined },
  sourceReading: SourceReading,
  now: Date,
): Reverification {
  const whole = signed ?? entry.body;
  const reading = readKept({ ...entry, headers: signed === undefined ? opened : withoutCoding(opened), body: whole }, sourceReading);
  if (reading.outcome !== "events") return rejected(`Valid signature, invalid event. ${reading.detail}`);
  const { workspaceId, sourceId, headers, remoteAddress } = entry;
  const events = reading.events.map(
    ({ envelope: { id, type, created }, body }): NewEvent => ({
      workspaceId,
      sourceId,
      eventId: id,
      type,
      created,
      recognised: sourceReading.records !== "platform" || describeType(type) !== null,
      signatureForm: "released",
      secretId,
      body,
      receivedBody: signed !== undefined && body === whole ? entry.body : null,
      headers,
      remoteAddress,
      receivedAt: now,
    }),
  );
  return { outcome: "passes", events };
}

const HOUR_MS = 3_600_000;

/** Accepts a retired secret again and releases what was signed with it: both or neither. @throws AppError `not_found`, `conflict` */
export async function acceptAgain(context: Context, source: SourceId, { secret, hours, release }: AcceptAgainBody): Promise<AcceptedAgain> {
  const { workspaceId, now, audit } = context;
  const until = new Date(now.getTime() + hours * HOUR_MS);
  const { operation, endsAt } = await inTransaction(pool(), async (client) => {
    const { sourceName: name, endedBefore, endsAt } = await moveSecretEnd(client, workspaceId, source, { secretId: secret, until, now });
    // By its secret and not by its diagnosis, which changes as soon as the secret is accepted.
    const started = release ? await requestRelease(context, { filter: { source: name, about: secret } }, client) : null;
    const [before, after] = [
      { secret, endsAt: endedBefore },
      { secret, endsAt, ...(started && { released: started.id }) },
    ];
    const action = hours === 0 ? "secret.ended" : "secret.accepted_again";
    await audit.record({ action, target: { kind: "source", id: source, name }, before, after }, client);
    await notifyOnCommit(client, "sources", workspaceId);
    return { operation: started, endsAt };
  });
  return { validUntil: endsAt.toISOString(), operation };
}

/** `late` and `receivedUntil` are absent in what the release before has queued. */
type Input = Pick<ReleasesBody, "filter"> & Partial<Pick<ReleasesBody, "late">> & { receivedUntil?: string };

/** Requests the release of all that match until now. @param within transaction to join
 * @param asked with `behind` it waits for another release @throws AppError `conflict` while one runs */
export async function requestRelease(
  { actor, now, audit }: Context,
  { filter, late = false, behind = false }: Pick<Input, "filter" | "late"> & { behind?: boolean },
  within?: pg.PoolClient,
): Promise<Operation> {
  const input: Input = { filter, late, receivedUntil: now.toISOString() };
  const { outcome, operation } = await insertOperation(
    actor.workspaceId,
    { kind: "release", requestedBy: actorName(actor), input, behind },
    within,
  );
  if (outcome === "busy") throw new AppError("conflict", "Another release is running. Wait for it, or stop it.");
  const after = { filter, ...(late && { late }) };
  await audit.record({ action: "release.started", target: { kind: "operation", id: operation.id }, after }, within);
  return showOperation(operation);
}

export const runReleases = (signal: AbortSignal): Promise<void> => runQueued("release", release, signal);

type Counts = Pick<ReleasesResult, "released" | "repeated" | "failed" | "stillQuarantined">;
const NONE: Counts = { released: 0, repeated: 0, failed: 0, stillQuarantined: 0 };

const release: OperationWork = async ({ workspaceId, input, requestedBy, checkpoint, ...before }, { signal, commit, expectMine }) => {
  const { filter, late = false, receivedUntil } = input as Input;
  const by = requestedBy ?? "Signalbox";
  const counts = { ...NONE, ...(before.counts as Partial<Counts>) };
  const total = before.total || (await countUnreleased(workspaceId, filter, receivedUntil));
  let { done } = before;
  let cursor = (checkpoint as { cursor: string } | null)?.cursor;
  while (!signal.aborted) {
    await commit(async (client) => {
      const now = new Date(systemClock.now());
      const page = await releasePage(client, workspaceId, { filter, late, cursor, receivedUntil }, by, now, () => expectMine(client));
      done += page.examined;
      for (const name of Object.keys(NONE) as (keyof Counts)[]) counts[name] += page[name];
      cursor = page.nextCursor ?? undefined;
      return { done, total: Math.max(total, done), counts, checkpoint: cursor === undefined ? undefined : { cursor } };
    });
    if (cursor === undefined) return { outcome: "finished" };
  }
  return { outcome: "stopped" };
};
