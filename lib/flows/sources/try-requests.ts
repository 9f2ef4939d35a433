import { isDeepStrictEqual } from "node:util";
import type * as z from "zod/mini";
import { env } from "#lib/config/env";
import { expectFound } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { SignatureCheck, signatureCheckBody } from "#lib/contracts/quarantine";
import type { PreviewedRequest, ReadingPreview } from "#lib/contracts/sources/reading-preview";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { CheckSourceBody, SourceCheck } from "#lib/contracts/sources/sources";
import { pool } from "#lib/db/pool";
import { listNewestOf } from "#lib/events/log/event-body-store";
import { readSource } from "#lib/ingest/source-lookup-store";
import { undecodedReading } from "#lib/platform/content-coding";
import { diagnoseScheme } from "#lib/platform/diagnosis/scheme-diagnosis";
import { diagnoseSignature, readHeaderForm } from "#lib/platform/diagnosis/signature-diagnosis";
import { NO_MAPPING } from "#lib/platform/field-names";
import { type RequestReading, readEnvelope, readEvents, readingOfStored, readKept, type SourceReading } from "#lib/platform/read-event";
import { requestUrl } from "#lib/platform/schemes/sender-requests";
import { SECRET_NOT_KEPT, SIGNATURE_HEADER, signBody } from "#lib/platform/signature";
import { listVerifiedOf } from "#lib/quarantine/quarantine-store";
import { findSource } from "#lib/sources/source-store";
import { mapInPieces } from "#lib/time/waits";

/** Returns the receiver's answer to a request with the source's present secrets, and stores nothing. @throws AppError `not_found` */
export async function checkSource(workspaceId: WorkspaceId, sourceId: SourceId, sent: CheckSourceBody, now: Date): Promise<SourceCheck> {
  const { name } = await expectFound(findSource(workspaceId, { id: sourceId }), RECEIVING);
  const source = await expectFound(readSource(pool("receiver"), name), RECEIVING);
  const body = sent.bodyBase64 === undefined ? Buffer.from(sent.body ?? "") : Buffer.from(sent.bodyBase64, "base64");
  const headers = Object.fromEntries(Object.entries(sent.headers).map(([header, value]) => [header.toLowerCase(), value]));
  const { WEBHOOK_URL, WEBHOOK_MAX_BYTES: maxBytes } = env();
  const request = { body, headers, url: requestUrl(WEBHOOK_URL, name, sent.query), remoteAddress: null, maxBytes };
  const verified = source.scheme.verify(request, source.secrets, now.getTime());
  if (verified.outcome !== "verified") {
    const secrets = source.secrets.map(({ id, value }) => ({ id, value, state: "valid" as const, source: name, endedAt: null }));
    const { template, scheme } = source;
    const { verdict, fix } = diagnoseScheme({ request, cut: false, template, scheme, secrets, receivedAt: now.getTime() });
    return { status: verified.outcome === "certificate_unknown" ? 503 : 401, verdict, fix, event: null };
  }
  const reading = verified.undecoded
    ? undecodedReading(verified.undecoded)
    : readEvents({ body: verified.signed ?? body, headers, query: sent.query, receivedAt: now }, source.reading);
  if (reading.outcome !== "events")
    return {
      status: 202,
      verdict: "The signature is valid, but the request is not an event.",
      fix: `Signalbox would quarantine it. ${reading.detail}`,
      event: null,
    };
  const [first] = reading.events;
  const stored = reading.events.length === 1 ? "an event" : `${reading.events.length} events`;
  const event = first ? { id: first.envelope.id, type: first.envelope.type, created: first.envelope.created } : null;
  return { status: 200, verdict: "The signature is valid.", fix: `Signalbox would store it as ${stored}.`, event };
}

const RECEIVING = "source with that ID that receives webhooks";

/** Returns the receiver's answer to this body and signature with the given secret. Pure: reads and stores nothing. */
export function checkSignature({ body, bodyBase64, header, secret }: z.infer<typeof signatureCheckBody>): SignatureCheck {
  const bytes = bodyBase64 === undefined ? Buffer.from(body ?? "") : Buffer.from(bodyBase64, "base64");
  const given = withoutName(header);
  const known = { id: "the secret you entered", value: secret, state: "valid" as const, source: "", endedAt: null };
  const { code, verdict, fix, evidence } = diagnoseSignature({
    body: bytes,
    cut: false,
    header: given === secret ? SECRET_NOT_KEPT : given,
    secrets: [known],
  });
  const verifies = code === "verifies" || code === "verifies_reserialized";
  const reading = verifies ? readEnvelope(bytes, NO_MAPPING) : null;
  return {
    verifies,
    status: reading === null ? 401 : reading.outcome === "envelope" ? 200 : 202,
    code,
    verdict: VERDICTS[code] ?? verdict,
    fix: reading === null ? (FIXES[code] ?? fix) : reading.outcome === "envelope" ? ACCEPTED : `${NO_EVENT} ${reading.detail}`,
    evidence: evidence.filter(({ label }) => !OF_STORED_REQUESTS.has(label)),
    expected: signBody(bytes, secret),
    received: digestIn(given),
  };
}

const ACCEPTED = "Signalbox would answer 200 and store it as an event.";
const NO_EVENT = "Signalbox would answer 202 and quarantine it, because it is not an event.";

/** Replace the diagnosis's own verdicts, which are about a stored request and the secrets of a source. */
const VERDICTS: Partial<Record<SignatureCheck["code"], string>> = {
  verifies: "The signature is valid.",
  verifies_reserialized: "The signature is valid for the body re-serialized as JSON without whitespace.",
  secret_decoded: "Signed with this secret, decoded: the key was not the secret's text.",
  body_empty: "The body is empty, and the signature is not that of an empty body.",
};
const FIXES: Partial<Record<SignatureCheck["code"], string>> = {
  secret_trimmed: "Use the same text for both secrets, without quotes, line breaks or spaces around it.",
  secret_decoded: "The key is the secret's text as it is. Sign with its characters, not with the bytes that they encode.",
  body_empty: "Paste the body as it was sent. If it arrived empty, a redirect or a proxy dropped it.",
  body_changed: "Sign and send the same bytes: sign the body as it leaves the sender, after the last step that writes JSON.",
  no_match: "Check that both sides use the same secret, and that the body is the one that was signed, byte for byte.",
};
const OF_STORED_REQUESTS: ReadonlySet<string> = new Set(["Stored", "Secret", "Checked against", "Received signature", "Expected"]);

/** Removes the name of a header, which people copy along. */
function withoutName(header: string): string {
  const name = new RegExp(`^\\s*${SIGNATURE_HEADER}\\s*:\\s*`, "i");
  return name.test(header) ? header.replace(name, "").trim() : header;
}

function digestIn(header: string): string | null {
  const form = readHeaderForm(header);
  const digest = form.form === "hex" || form.form === "prefix" || form.form === "base64" ? form.digest : null;
  return digest === null ? null : digest.toLowerCase();
}

const EVENTS_TRIED = 25;
const REQUESTS_TRIED = 10;

/** Tries a reading on the newest events and quarantined requests; writes nothing. Lists are tried on quarantined requests alone, because
 * they are stored as their entries. @throws AppError `not_found` */
export async function previewReading(workspaceId: WorkspaceId, sourceId: SourceId, reading: EventReading | null): Promise<ReadingPreview> {
  const source = await expectFound(findSource(workspaceId, { id: sourceId }), "source with that ID");
  const [now, then] = [source.reading, reading].map((each) => readingOfStored({ ...source, reading: each, mapping: NO_MAPPING }));
  if (!now || !then) throw new Error("there are two readings");
  const isOfLists = now.event?.items !== undefined || then.event?.items !== undefined;
  const [events, requests] = await Promise.all([
    isOfLists ? [] : listNewestOf(workspaceId, { sourceId }, EVENTS_TRIED),
    listVerifiedOf(workspaceId, sourceId, REQUESTS_TRIED),
  ]);
  const tried: PreviewedRequest[] = [
    ...(await mapInPieces(requests, (request) => {
      return { kind: "quarantined" as const, ...tryOn(request, request.id, partsOf(readKept(request, now)), then) };
    })),
    ...(await mapInPieces(events, (event) => {
      const stored = { id: event.eventId, type: event.type, created: event.created };
      return { kind: "event" as const, ...tryOn(event, event.eventId, stored, then) };
    })),
  ];
  const isFailing = ({ failure }: PreviewedRequest) => failure !== null;
  return {
    requests: tried.toSorted((a, b) => Number(isFailing(b)) - Number(isFailing(a))),
    changed: tried.filter(({ before, after }) => after !== null && !isDeepStrictEqual(before, after)).length,
    failing: tried.filter(isFailing).length,
  };
}

type Kept = Parameters<typeof readKept>[0];

function tryOn(kept: Kept, id: string, before: PreviewedRequest["before"], then: SourceReading): Omit<PreviewedRequest, "kind"> {
  const read = readKept(kept, then);
  const events = read.outcome === "events" ? read.events : [];
  const failure = read.outcome === "events" ? null : read.detail;
  return { id, receivedAt: kept.receivedAt.toISOString(), before, after: partsOf(read), events: events.length, failure };
}

function partsOf(read: RequestReading): PreviewedRequest["after"] {
  const first = read.outcome === "events" ? read.events[0]?.envelope : undefined;
  return first ? { id: first.id, type: first.type, created: first.created } : null;
}
