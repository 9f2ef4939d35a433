import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { env } from "#lib/config/env";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Diagnosis, QuarantineReason } from "#lib/contracts/quarantine";
import { pool } from "#lib/db/pool";
import { KEPT_UNVERIFIED_BYTES } from "#lib/ingest/quarantine-insert-store";
import { decodedOf, type Undecoded, withoutCoding } from "#lib/platform/content-coding";
import { DIAGNOSIS_VERSION, type KnownSecret } from "#lib/platform/diagnosis/diagnoses";
import { diagnoseScheme } from "#lib/platform/diagnosis/scheme-diagnosis";
import { diagnoseSignature } from "#lib/platform/diagnosis/signature-diagnosis";
import { type RequestReading, readingOf, readKept, type SourceReading, type SourceReadings } from "#lib/platform/read-event";
import type { SchemeRequest } from "#lib/platform/schemes/scheme";
import { keptQuery, requestUrl } from "#lib/platform/schemes/sender-requests";
import { SIGNATURE_HEADER } from "#lib/platform/signature";
import { findQuarantineBodies, type QuarantinedRequest } from "#lib/quarantine/quarantine-store";
import { findReadings, findSchemes, type SourceScheme } from "#lib/sources/reading-store";
import { type OpenedSecret, openKnownSecrets } from "#lib/sources/source-store";
import { openHeaders } from "#lib/vault/sealed-values";

/** Bytes of bodies that one list diagnoses where the worker has not yet; the rest keeps the receiver's own text. */
const LIST_BODY_BYTES = 4 * 1_048_576;
const LIST_MS = 250;

/** Explains why one request is in quarantine now; null for one that was released. */
export async function diagnoseQuarantined(workspaceId: WorkspaceId, entry: QuarantinedRequest, now: Date): Promise<Diagnosis | null> {
  if (entry.releasedAt !== null) return null;
  const known = await KnownSources.read(workspaceId, [entry.sourceId], now);
  return diagnose(entry, entry.body, known.of(entry.sourceId));
}

/** Explains a page's entries by ID: as the worker stored it while nothing has changed since, else here, within limits of bytes and time. */
export async function diagnosePage(workspaceId: WorkspaceId, entries: QuarantinedRequest[], now: Date): Promise<Map<string, Diagnosis>> {
  const waiting = entries.filter(({ releasedAt }) => releasedAt === null);
  const found = new Map<string, Diagnosis>();
  if (waiting.length === 0) return found;
  const sourceIds = waiting.map(({ sourceId }) => sourceId);
  const known = await KnownSources.read(workspaceId, sourceIds, now);
  const missing: QuarantinedRequest[] = [];
  for (const entry of waiting) {
    if (entry.diagnosis !== null && entry.diagnosedWith === known.of(entry.sourceId).digest) found.set(entry.id, entry.diagnosis);
    else missing.push(entry);
  }
  const bodies = await findQuarantineBodies(workspaceId, withinBytes(missing));
  let spent = 0;
  for (const entry of missing) {
    const body = bodies.get(entry.id);
    if (!body || spent > LIST_MS) continue;
    const started = performance.now();
    found.set(entry.id, await diagnose(entry, body, known.of(entry.sourceId)));
    spent += performance.now() - started;
    await nextTurn(); // the same process answers webhooks
  }
  return found;
}

function withinBytes(entries: QuarantinedRequest[]): string[] {
  let bytes = 0;
  const ids: string[] = [];
  for (const { id, bodyBytes, verified } of entries) {
    bytes += verified ? bodyBytes : Math.min(bodyBytes, KEPT_UNVERIFIED_BYTES);
    if (bytes <= LIST_BODY_BYTES) ids.push(id);
  }
  return ids;
}

export async function diagnose(kept: QuarantinedRequest, body: Uint8Array, context: DiagnosisContext): Promise<Diagnosis> {
  const { secrets, reading, sender } = context;
  const opened = await openHeaders(kept.headers, kept);
  // The body of a sender that puts its secret there was decoded to mask it; nothing is left of one that can't be.
  const headers = sender?.scheme.secretInBody && body.length > 0 ? withoutCoding(opened) : opened;
  const entry = { ...kept, headers };
  const said = sender?.scheme.unwrap?.(body) ?? body;
  if (entry.verified) return diagnoseReading(entry, said, reading);
  const cut = body.length !== entry.bodyBytes;
  const explain = (sent: Uint8Array) =>
    sender === null
      ? diagnoseSignature({ body: sent, cut, header: entry.headers[SIGNATURE_HEADER], secrets, told: entry.detail })
      : diagnoseScheme({ ...sender, cut, secrets, request: requestOf(entry, sent), receivedAt: entry.receivedAt.getTime() });
  const asSent = explain(body);
  const decoded = asSent.code === "verifies" ? null : decodedOf(body, entry.headers);
  return withEnvelope({ about: null, ...(decoded === null ? asSent : explain(decoded)) }, entry, said, reading);
}

/** Explains a request that verified on arrival: whether it can be read as an event by now. */
function diagnoseReading({ headers, receivedAt, reason }: QuarantinedRequest, body: Uint8Array, reading: SourceReading): Diagnosis {
  const read = readKept({ body, headers, receivedAt }, reading);
  if (read.outcome === "events" && reason === "source_paused")
    return { code: reason, about: null, ...explainReason(reason), evidence: [], verifiesNow: true };
  if (read.outcome === "events") return { code: "readable", about: null, ...READABLE, evidence: [], verifiesNow: true };
  return { code: read.outcome, ...explainUnread(read), evidence: [{ label: "Not an event", value: read.detail }], verifiesNow: false };
}

type Unread = Exclude<RequestReading, { outcome: "events" }>;

const explainUnread = (read: Unread): { about: string | null; verdict: string; fix: string } =>
  read.outcome === "malformed_json" && read.undecoded ? UNDECODED[read.undecoded] : { about: null, ...explainReason(read.outcome) };

/** What tells these requests from others whose body can't be read: the setting, or the header, that is the cause. */
export type UndecodedAbout = "WEBHOOK_MAX_BYTES" | "content-encoding";

const UNDECODED: Record<Undecoded, { about: UndecodedAbout; verdict: string; fix: string }> = {
  too_large: {
    about: "WEBHOOK_MAX_BYTES",
    verdict: "Valid signature, but decoded its body is larger than WEBHOOK_MAX_BYTES.",
    fix: "Raise WEBHOOK_MAX_BYTES above its decoded size and restart, then release it. Or have the sender send less in one request.",
  },
  unreadable: {
    about: "content-encoding",
    verdict: "Valid signature, but its body can't be decoded.",
    fix: "Have the sender compress it as its header content-encoding says (gzip, deflate or br), or send it without that header.",
  },
};

const READABLE = { verdict: "Valid signature. It couldn't be read as an event when it arrived, but can be now.", fix: "Release it." };

/** Parses only what verifies; what is no event can't be released either. */
function withEnvelope(
  unverified: Omit<Diagnosis, "verifiesNow">,
  { headers, receivedAt }: QuarantinedRequest,
  body: Uint8Array,
  reading: SourceReading,
): Diagnosis {
  if (unverified.code !== "verifies" && unverified.code !== "verifies_reserialized") return { ...unverified, verifiesNow: false };
  const read = readKept({ body, headers, receivedAt }, reading);
  if (read.outcome === "events") return { ...unverified, verifiesNow: true };
  const { verdict, fix } = explainUnread(read);
  return {
    ...unverified,
    fix:
      read.outcome === "malformed_json"
        ? `${verdict} ${fix}`
        : "Valid signature, invalid event. If its fields have other names, map them in Settings > Field mapping, then release it.",
    evidence: [...unverified.evidence, { label: "Not an event", value: read.detail }],
    verifiesNow: false,
  };
}

const requestOf = ({ headers, sourceName, remoteAddress }: QuarantinedRequest, body: Uint8Array): SchemeRequest => ({
  body,
  headers,
  url: requestUrl(env().WEBHOOK_URL, sourceName, keptQuery(headers)),
  remoteAddress,
  maxBytes: env().WEBHOOK_MAX_BYTES,
});

/** `digest` changes with any of the others. */
export type DiagnosisContext = { secrets: KnownSecret[]; reading: SourceReading; sender: SourceScheme | null; digest: string };

export class KnownSources {
  private readonly contexts = new Map<string, DiagnosisContext>();
  private readonly opened: OpenedSecret[];
  private readonly readings: SourceReadings;
  private readonly schemes: ReadonlyMap<string, SourceScheme>;
  private readonly now: Date;

  private constructor(opened: OpenedSecret[], readings: SourceReadings, schemes: ReadonlyMap<string, SourceScheme>, now: Date) {
    this.opened = opened;
    this.readings = readings;
    this.schemes = schemes;
    this.now = now;
  }

  static async read(workspaceId: WorkspaceId, sourceIds: readonly SourceId[], now: Date): Promise<KnownSources> {
    const ids = [...new Set(sourceIds)];
    const [opened, readings, schemes] = await Promise.all([
      openKnownSecrets(workspaceId),
      findReadings(pool(), ids),
      findSchemes(pool(), ids),
    ]);
    return new KnownSources(opened, readings, schemes, now);
  }

  of(sourceId: SourceId): DiagnosisContext {
    const known = this.contexts.get(sourceId);
    if (known) return known;
    const secrets = this.secretsFor(sourceId);
    const reading = readingOf(this.readings, sourceId);
    const sender = this.schemes.get(sourceId) ?? null;
    const context = { secrets, reading, sender, digest: digestOf({ secrets, reading, sender }) };
    this.contexts.set(sourceId, context);
    return context;
  }

  private secretsFor(sourceId: SourceId): KnownSecret[] {
    return this.opened.map((secret) => {
      const ended = secret.validUntil !== null && secret.validUntil <= this.now;
      const state = secret.sourceId !== sourceId ? "another_source" : ended ? "retired" : "valid";
      return { id: secret.id, value: secret.value, source: secret.sourceName, state, endedAt: ended ? secret.validUntil : null };
    });
  }
}

/** Hashes IDs and settings alone, never a secret. */
function digestOf({ secrets, reading, sender }: Omit<DiagnosisContext, "digest">): string {
  const parts = [
    DIAGNOSIS_VERSION,
    env().WEBHOOK_URL,
    env().WEBHOOK_MAX_BYTES,
    secrets.map(({ id, state }) => [id, state]),
    reading,
    sender?.template,
    sender?.settings,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

const WORDS: Record<QuarantineReason, { verdict: string; fix: string }> = {
  signature_missing: {
    verdict: "It has no signature.",
    fix: "If the platform sent it, check whether a proxy strips the header x-webhook-signature. Otherwise it is probably a scanner; safe to ignore.",
  },
  signature_malformed: {
    verdict: "Its signature is not 64 hexadecimal digits.",
    fix: "Send the bare hexadecimal digest: no prefix such as sha256=, no base64, no spaces.",
  },
  signature_repeated: { verdict: "It has more than one signature.", fix: "Send the header x-webhook-signature once." },
  signature_mismatch: {
    verdict: "Its signature does not match the body.",
    fix: "Compare the platform's secret with this source's, and check whether a proxy in between changes the body.",
  },
  signature_expired: {
    verdict: "Its signature is valid, but too old.",
    fix: "Check the sender's clock. If the request was delayed, send it again from there.",
  },
  network_unknown: {
    verdict: "It comes from a network that isn't listed in this source.",
    fix: "If the sender is yours, add its network to the source. Otherwise it is probably a scanner; safe to ignore.",
  },
  malformed_json: {
    verdict: "Valid signature, but the body can't be read as JSON.",
    fix: "Inspect the raw body and ask the platform what it sent.",
  },
  invalid_envelope: {
    verdict: "Valid signature, invalid event: id, type, created or data is missing or not valid.",
    fix: "If its fields have other names, map them in Settings > Field mapping, then release it. A signed test call from the platform may look like this; then there is nothing to fix.",
  },
  source_paused: {
    verdict: "It arrived while its source was paused.",
    fix: "Resume the source in Settings > Sources and secrets: this releases everything that it held.",
  },
};

export const explainReason = (reason: QuarantineReason): { verdict: string; fix: string } => WORDS[reason];
