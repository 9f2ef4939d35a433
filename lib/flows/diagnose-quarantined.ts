import { setImmediate as nextTurn } from "node:timers/promises";
import type { Diagnosis } from "#lib/contracts/diagnosis";
import type { WorkspaceId } from "#lib/contracts/ids";
import { type OpenedSecret, openKnownSecrets } from "#lib/events/known-secret-store";
import { findQuarantineBodies, KEPT_REFUSED_BYTES, type QuarantineEntry } from "#lib/events/quarantine-store";
import type { KnownSecret } from "#lib/platform/diagnosis/finding";
import { diagnoseSignature } from "#lib/platform/diagnosis/signature-diagnosis";
import { readEnvelope } from "#lib/platform/envelope";
import { SIGNATURE_HEADER } from "#lib/platform/signature";

/** What one list may spend: the rest keeps the receiver's own words until the next look. */
const LIST_BODY_BYTES = 4 * 1_048_576;
const LIST_MS = 250;

const CACHED = 5000;
const cache = new Map<string, { secrets: string; diagnosis: Diagnosis }>();

/** There is nothing to explain of what verified and was refused for another reason, nor of what was admitted since. */
const needsDiagnosis = ({ verified, admittedAt }: QuarantineEntry) => !verified && admittedAt === null;

/** Why one refused request does not verify; null where there is nothing to explain. */
export async function diagnoseQuarantined(workspaceId: WorkspaceId, entry: QuarantineEntry, now: Date): Promise<Diagnosis | null> {
  if (!needsDiagnosis(entry)) return null;
  return diagnose(entry, entry.body, secretsFor(entry, await openKnownSecrets(workspaceId), now));
}

/**
 * The same for a page of a list, whose entries came without their bodies.
 * Verdicts are kept in memory until a secret changes; what goes beyond the
 * bounds of bytes and time has none yet.
 *
 * @returns by the entry's id
 */
export async function diagnosePage(workspaceId: WorkspaceId, entries: QuarantineEntry[], now: Date): Promise<Map<string, Diagnosis>> {
  const unverified = entries.filter(needsDiagnosis);
  const found = new Map<string, Diagnosis>();
  if (unverified.length === 0) return found;
  const opened = await openKnownSecrets(workspaceId);
  const missing: QuarantineEntry[] = [];
  for (const entry of unverified) {
    const known = cache.get(entry.id);
    if (known?.secrets === fingerprint(secretsFor(entry, opened, now))) found.set(entry.id, known.diagnosis);
    else missing.push(entry);
  }
  const bodies = await findQuarantineBodies(workspaceId, withinBytes(missing));
  let spent = 0;
  for (const entry of missing) {
    const body = bodies.get(entry.id);
    if (!body || spent > LIST_MS) continue;
    const started = performance.now();
    found.set(entry.id, diagnose(entry, body, secretsFor(entry, opened, now)));
    spent += performance.now() - started;
    await nextTurn(); // the same process answers webhooks
  }
  return found;
}

function withinBytes(entries: QuarantineEntry[]): string[] {
  let bytes = 0;
  const ids: string[] = [];
  for (const { id, bodyBytes } of entries) {
    bytes += Math.min(bodyBytes, KEPT_REFUSED_BYTES);
    if (bytes <= LIST_BODY_BYTES) ids.push(id);
  }
  return ids;
}

function diagnose(entry: QuarantineEntry, body: Uint8Array, secrets: KnownSecret[]): Diagnosis {
  const cut = body.length !== entry.bodyBytes;
  const finding = diagnoseSignature({ body, cut, header: entry.headers[SIGNATURE_HEADER], secrets });
  const diagnosis = withEnvelope(finding, body);
  if (cache.size >= CACHED) cache.clear();
  cache.set(entry.id, { secrets: fingerprint(secrets), diagnosis });
  return diagnosis;
}

/** Only what verifies is read: and what is no event then can't be admitted either. */
function withEnvelope(finding: Omit<Diagnosis, "verifiesNow">, body: Uint8Array): Diagnosis {
  if (finding.code !== "verifies" && finding.code !== "verifies_reserialized") return { ...finding, verifiesNow: false };
  const reading = readEnvelope(body);
  if (reading.outcome === "envelope") return { ...finding, verifiesNow: true };
  return {
    ...finding,
    mend: "It is signed rightly, but is not an event, so it can't be admitted. Look at the raw body.",
    evidence: [...finding.evidence, { label: "Not an event", value: reading.detail }],
    verifiesNow: false,
  };
}

/** The workspace's secrets as they stand to this entry's source now. */
function secretsFor({ sourceId }: QuarantineEntry, opened: OpenedSecret[], now: Date): KnownSecret[] {
  return opened.map((secret) => {
    const ended = secret.validUntil !== null && secret.validUntil <= now;
    const standing = secret.sourceId !== sourceId ? "another_source" : ended ? "retired" : "valid";
    return { id: secret.id, value: secret.value, source: secret.sourceName, standing, endedAt: ended ? secret.validUntil : null };
  });
}

const fingerprint = (secrets: KnownSecret[]) => secrets.map(({ id, standing }) => `${id} ${standing}`).join();
