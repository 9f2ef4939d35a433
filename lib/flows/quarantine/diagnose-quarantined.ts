import { setImmediate as nextTurn } from "node:timers/promises";
import { env } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Diagnosis } from "#lib/contracts/diagnosis";
import { pool } from "#lib/db/pool";
import type { KnownSecret } from "#lib/platform/diagnosis/diagnosis";
import { diagnoseScheme } from "#lib/platform/diagnosis/scheme-diagnosis";
import { diagnoseSignature } from "#lib/platform/diagnosis/signature-diagnosis";
import { readKept } from "#lib/platform/reading/read-event";
import { readingOf, type SourceReading, type SourceReadings } from "#lib/platform/reading/source-reading";
import { keptQuery, requestUrl } from "#lib/platform/schemes/kept-request";
import type { SchemeRequest } from "#lib/platform/schemes/scheme";
import { SIGNATURE_HEADER } from "#lib/platform/signature";
import { findQuarantineBodies, KEPT_UNVERIFIED_BYTES, type QuarantinedRequest } from "#lib/quarantine/quarantine-store";
import { type OpenedSecret, openKnownSecrets } from "#lib/sources/known-secret-store";
import { findReadings, findSchemes, type SourceScheme } from "#lib/sources/reading-store";

/** What one list may spend: the rest keeps the receiver's own words until the next look. */
const LIST_BODY_BYTES = 4 * 1_048_576;
const LIST_MS = 250;

const CACHED = 5000;
const cache = new Map<string, { context: string; diagnosis: Diagnosis }>();

/** There is nothing to explain for what verified and was quarantined for another reason, nor for what was released since. */
const needsDiagnosis = ({ verified, releasedAt }: QuarantinedRequest) => !verified && releasedAt === null;

/** Returns why one quarantined request does not verify; null where there is nothing to explain. */
export async function diagnoseQuarantined(workspaceId: WorkspaceId, entry: QuarantinedRequest, now: Date): Promise<Diagnosis | null> {
  if (!needsDiagnosis(entry)) return null;
  const known = await readKnown(workspaceId, [entry]);
  return diagnose(entry, entry.body, contextOf(entry, known, now));
}

/**
 * The same for a page of a list, whose entries came without their bodies.
 * Verdicts are kept in memory until a secret changes; what goes beyond the
 * bounds of bytes and time has none yet.
 *
 * @returns by the entry's id
 */
export async function diagnosePage(workspaceId: WorkspaceId, entries: QuarantinedRequest[], now: Date): Promise<Map<string, Diagnosis>> {
  const unverified = entries.filter(needsDiagnosis);
  const found = new Map<string, Diagnosis>();
  if (unverified.length === 0) return found;
  const knownSources = await readKnown(workspaceId, unverified);
  const missing: QuarantinedRequest[] = [];
  for (const entry of unverified) {
    const known = cache.get(entry.id);
    if (known?.context === fingerprint(contextOf(entry, knownSources, now))) found.set(entry.id, known.diagnosis);
    else missing.push(entry);
  }
  const bodies = await findQuarantineBodies(workspaceId, withinBytes(missing));
  let spent = 0;
  for (const entry of missing) {
    const body = bodies.get(entry.id);
    if (!body || spent > LIST_MS) continue;
    const started = performance.now();
    found.set(entry.id, diagnose(entry, body, contextOf(entry, knownSources, now)));
    spent += performance.now() - started;
    await nextTurn(); // the same process answers webhooks
  }
  return found;
}

function withinBytes(entries: QuarantinedRequest[]): string[] {
  let bytes = 0;
  const ids: string[] = [];
  for (const { id, bodyBytes } of entries) {
    bytes += Math.min(bodyBytes, KEPT_UNVERIFIED_BYTES);
    if (bytes <= LIST_BODY_BYTES) ids.push(id);
  }
  return ids;
}

/** What a verdict depends on beside the request itself. */
type Context = { secrets: KnownSecret[]; reading: SourceReading; sender: SourceScheme | null };
type KnownSources = { opened: OpenedSecret[]; readings: SourceReadings; schemes: ReadonlyMap<string, SourceScheme> };

async function readKnown(workspaceId: WorkspaceId, entries: QuarantinedRequest[]): Promise<KnownSources> {
  const sourceIds = [...new Set(entries.map(({ sourceId }) => sourceId))];
  const [opened, readings, schemes] = await Promise.all([
    openKnownSecrets(workspaceId),
    findReadings(pool(), sourceIds),
    findSchemes(pool(), sourceIds),
  ]);
  return { opened, readings, schemes };
}

const contextOf = (entry: QuarantinedRequest, { opened, readings, schemes }: KnownSources, now: Date): Context => ({
  secrets: secretsFor(entry, opened, now),
  reading: readingOf(readings, entry.sourceId),
  sender: schemes.get(entry.sourceId) ?? null,
});

function diagnose(entry: QuarantinedRequest, body: Uint8Array, context: Context): Diagnosis {
  const { secrets, reading, sender } = context;
  const cut = body.length !== entry.bodyBytes;
  const unverified =
    sender === null
      ? diagnoseSignature({ body, cut, header: entry.headers[SIGNATURE_HEADER], secrets })
      : diagnoseScheme({ ...sender, cut, secrets, request: requestOf(entry, body), receivedAt: entry.receivedAt.getTime() });
  const diagnosis = withEnvelope(unverified, entry, body, reading);
  if (cache.size >= CACHED) cache.clear();
  cache.set(entry.id, { context: fingerprint(context), diagnosis });
  return diagnosis;
}

/** Only what verifies is parsed; what is no event can't be released either. */
function withEnvelope(
  unverified: Omit<Diagnosis, "verifiesNow">,
  { headers, receivedAt }: QuarantinedRequest,
  body: Uint8Array,
  reading: SourceReading,
): Diagnosis {
  if (unverified.code !== "verifies" && unverified.code !== "verifies_reserialized") return { ...unverified, verifiesNow: false };
  const read = readKept({ body, headers, receivedAt }, reading);
  if (read.outcome === "events") return { ...unverified, verifiesNow: true };
  return {
    ...unverified,
    fix: "Valid signature, invalid event. If its fields have other names, map them in Settings > Field mapping, then release it.",
    evidence: [...unverified.evidence, { label: "Not an event", value: read.detail }],
    verifiesNow: false,
  };
}

/** The workspace's secrets as they stand to this entry's source now. */
function secretsFor({ sourceId }: QuarantinedRequest, opened: OpenedSecret[], now: Date): KnownSecret[] {
  return opened.map((secret) => {
    const ended = secret.validUntil !== null && secret.validUntil <= now;
    const state = secret.sourceId !== sourceId ? "another_source" : ended ? "retired" : "valid";
    return { id: secret.id, value: secret.value, source: secret.sourceName, state, endedAt: ended ? secret.validUntil : null };
  });
}

const fingerprint = ({ secrets, reading, sender }: Context) =>
  `${secrets.map(({ id, state }) => `${id} ${state}`).join()} ${JSON.stringify(reading)} ${sender?.template}`;

/** A request as its sender's scheme reads it, from what was kept of it. */
const requestOf = ({ headers, sourceName, remoteAddress }: QuarantinedRequest, body: Uint8Array): SchemeRequest => ({
  body,
  headers,
  url: requestUrl(env().WEBHOOK_URL, sourceName, keptQuery(headers)),
  remoteAddress,
});
