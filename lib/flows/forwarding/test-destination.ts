import type { Context } from "#lib/auth/audit/audit";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import { isOfType } from "#lib/contracts/events/event-filters";
import type { DestinationTest, FilterPreview, FilterPreviewBody } from "#lib/contracts/forwarding/destinations";
import { type ExportedEvent, listForExport } from "#lib/events/event-store";
import { findBodies, findReceived, type ReceivedEvent, slicesOf } from "#lib/events/log/event-body-store";
import { fixOfTest } from "#lib/forwarding/attempt/outcomes";
import { type OutgoingEvent, requestOf } from "#lib/forwarding/attempt/outgoing-request";
import { withoutUrl } from "#lib/forwarding/attempt/redaction";
import { type AttemptResult, sendAttempt, TargetConnection } from "#lib/forwarding/attempt/send-attempt";
import { readTargetUrl } from "#lib/forwarding/check-target";
import { findDestination, openDestinationUrl, openSigningSecrets, type StoredDestination } from "#lib/forwarding/destination-store";
import { Comparisons, type CompiledFilter, comparisonsFor, compileFilter, type FilterVerdict } from "#lib/forwarding/match-filter";
import { findOwnHeaders, openOwnHeaders } from "#lib/forwarding/own-headers-store";
import { readPayload } from "#lib/platform/payload";
import { readingOf, type SourceReading } from "#lib/platform/read-event";
import { SAMPLE_TYPE, type SourceSender, sampleRequest } from "#lib/platform/schemes/sender-requests";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import { listReadings } from "#lib/sources/reading-store";
import { listSenders, listSourceNames } from "#lib/sources/source-store";
import { Pauses } from "#lib/time/waits";
import { openHeaders, sealedValues } from "#lib/vault/sealed-values";
import { isVaultError } from "#lib/vault/vault";
import { bytesOf } from "./read-deliveries.ts";

const TYPE = "document.processed";

/** Sends an event as a delivery goes, in any state, and waits for the answer; it is neither stored nor counted. In pass-through mode it is
 * the newest matching one that is stored. @throws AppError `not_found`; `conflict` when there is none */
export async function testDestination({ workspaceId, now, audit }: Context, id: string): Promise<DestinationTest> {
  const destination = await expectFound(findDestination(workspaceId, id), "destination with that ID");
  const event = await eventFor(workspaceId, destination, now);
  const result = await send(workspaceId, destination, event, now);
  await audit.record({
    action: "destination.tested",
    target: { kind: "destination", id, name: destination.name },
    after: { outcome: result.outcome, event: event.eventId },
  });
  return testOf(destination.url, result);
}

/** `sealed`: header values that nothing shows. */
type TestEvent = Omit<OutgoingEvent, "deliveryId" | "number"> & { sealed?: string[] };

async function eventFor(workspaceId: WorkspaceId, destination: StoredDestination, now: Date): Promise<TestEvent> {
  if (destination.mode === "signed") return madeUp(now);
  const senders = await listSenders(workspaceId);
  if (destination.mode === "re_sign") return sampleOf(destination.sourceIds[0] ?? "", senders, now);
  const stored = await storedFor(workspaceId, destination, now);
  const headers = await openHeaders(stored.headers, { workspaceId, sourceId: stored.sourceId });
  return { ...stored, headers, sealed: sealedValues(headers, stored.headers), sender: senders.get(stored.sourceId) };
}

function sampleOf(sourceId: string, senders: Map<string, SourceSender>, now: Date): TestEvent {
  const sender = senders.get(sourceId);
  if (!sender) throw new AppError("conflict", "This destination has no source whose events can be re-signed. Choose one in its settings.");
  const eventId = newId("evt_test");
  const reading = sender.reading ?? TEMPLATES[sender.template].reading;
  const { body, headers } = sampleRequest({ template: sender.template, reading, secret: "" }, eventId, now);
  return { eventId, type: SAMPLE_TYPE, sourceId, headers, body: Buffer.from(body), sender };
}

function madeUp(now: Date): TestEvent {
  const eventId = newId("evt_test");
  const data = { documentId: "doc_test", status: "completed", test: true };
  const body = Buffer.from(JSON.stringify({ id: eventId, type: TYPE, created: Math.floor(now.getTime() / 1000), data }));
  return { eventId, type: TYPE, sourceId: "test", headers: { "content-type": "application/json" }, body };
}

/** Finds a stored event. The platform's signature is never made here: a target could send such an event to the receiver. */
async function storedFor(workspaceId: WorkspaceId, { sourceIds, types, filter }: StoredDestination, now: Date): Promise<ReceivedEvent> {
  const names = await listSourceNames(workspaceId);
  const sources = sourceIds.flatMap((id) => names.get(id) ?? []);
  const found = await findNewestHandedOn(workspaceId, { sources, types, filter }, now);
  if (!found) throw new AppError("conflict", NOTHING_STORED);
  return found;
}

const NOTHING_STORED =
  "None of the newest 1,000 stored events matches this destination. In pass-through mode a test sends a stored event, because only the platform can sign one. Receive a matching event first, or test in signed mode.";

async function send(
  workspaceId: WorkspaceId,
  { id, mode }: StoredDestination,
  { sealed = [], ...event }: TestEvent,
  now: Date,
): Promise<AttemptResult> {
  const url = await openDestinationUrl(workspaceId, id);
  const read = readTargetUrl(url);
  if (!read.ok) throw new AppError("conflict", read.reason);
  const own = await openOwnHeaders({ workspaceId, id }, await findOwnHeaders(workspaceId, id), url).catch(whenUnopened);
  const signing = { mode, own, secrets: mode === "pass_through" ? [] : await openSigningSecrets(workspaceId, id) };
  const connection = new TargetConnection(read.target);
  try {
    const { secrets, own: names, ...request } = requestOf({ ...event, deliveryId: "dlv_test", number: 1 }, signing, read.target, now);
    const result = await sendAttempt(connection, request, now, new AbortController().signal);
    if (!result) throw new Error("the test was given up");
    const hidden = { own: names, secrets: [...secrets, ...sealed] };
    return names.length + hidden.secrets.length === 0 ? result : withoutUrl(result, url, hidden);
  } finally {
    connection.close();
  }
}

function whenUnopened(error: unknown): never {
  if (!isVaultError(error)) throw error;
  throw new AppError("conflict", `The headers of this destination can't be sent. ${error.message}`);
}

const testOf = (url: string, { at, outcome, detail, requestHeaders: headers, answer, totalMs }: AttemptResult): DestinationTest => ({
  at: at.toISOString(),
  outcome,
  detail,
  fix: fixOfTest(outcome),
  request: { method: "POST", url, headers },
  response: answer && { status: answer.status, headers: answer.headers, body: bytesOf(answer.body) },
  remoteAddress: answer?.remoteAddress ?? null,
  durations: {
    dns: answer?.dnsMs ?? null,
    connect: answer?.connectMs ?? null,
    tls: answer?.tlsMs ?? null,
    firstByte: answer?.firstByteMs ?? null,
    total: totalMs,
  },
});

const NEWEST = 1000;
const PAGE = 200;
const EXAMPLES = 3;

/** Limits of one preview: bytes of parsed bodies, and comparisons. */
const PREVIEW_BYTES = 32 * 1_048_576;
const PREVIEW_COMPARISONS = 20_000_000;

/** Tries settings on the newest 1,000 events, by the function that decides when events are applied. */
export async function previewFilter(workspaceId: WorkspaceId, body: FilterPreviewBody, now: Date): Promise<FilterPreview> {
  const preview: FilterPreview = { matching: 0, tooCostly: 0, of: 0, cutShort: false, examples: { matching: [], other: [] } };
  const trial = new Trial(body);
  for await (const { event, verdict } of trial.decideNewest(workspaceId, now)) note(preview, event, verdict);
  return { ...preview, cutShort: trial.isSpent() };
}

/** Returns the newest event that the settings would have handed on, as it was received; null if none. */
async function findNewestHandedOn(workspaceId: WorkspaceId, body: FilterPreviewBody, now: Date): Promise<ReceivedEvent | null> {
  for await (const { event, verdict } of new Trial(body).decideNewest(workspaceId, now))
    if (verdict === "matched") return findReceived(workspaceId, event);
  return null;
}

async function readingsByName(workspaceId: WorkspaceId): Promise<Map<string, SourceReading>> {
  const [names, readings] = await Promise.all([listSourceNames(workspaceId), listReadings(workspaceId)]);
  return new Map([...names].map(([id, name]) => [name, readingOf(readings, id)]));
}

class Trial {
  private readonly settings: FilterPreviewBody;
  private readonly filter: CompiledFilter | null;
  private bytesLeft = PREVIEW_BYTES;
  private comparisonsLeft = PREVIEW_COMPARISONS;

  constructor(settings: FilterPreviewBody) {
    this.settings = settings;
    this.filter = settings.filter === null ? null : compileFilter(settings.filter);
  }

  isSpent = (): boolean => this.bytesLeft <= 0 || this.comparisonsLeft <= 0;

  async *decideNewest(workspaceId: WorkspaceId, now: Date) {
    const pauses = new Pauses();
    let cursor: string | undefined;
    const readings = this.filter === null ? new Map<string, SourceReading>() : await readingsByName(workspaceId);
    for (let of = 0; of < NEWEST; ) {
      const page = await listForExport(workspaceId, {}, { limit: PAGE, cursor, now });
      for (const slice of slicesOf(page.data)) {
        const bodies = this.filter === null ? new Map<number, Buffer>() : await findBodies(slice.filter((each) => this.isAsked(each)));
        for (const event of slice) {
          const verdict = this.isAsked(event) ? this.verdictOf(bodies.get(event.seq), readings.get(event.summary.source)) : "not_matched";
          if (verdict === "spent") return;
          yield { event, verdict };
          await pauses.afterPiece();
        }
      }
      if (page.nextCursor === null) return;
      of += page.data.length;
      cursor = page.nextCursor;
    }
  }

  private isAsked({ summary }: ExportedEvent): boolean {
    const { types, sources } = this.settings;
    return (
      (types.length === 0 || types.some((asked) => isOfType(asked, summary.type))) &&
      (sources.length === 0 || sources.includes(summary.source))
    );
  }

  /** Returns `spent` when the limits don't reach for this event. */
  private verdictOf(body: Buffer | undefined, reading: SourceReading | undefined): FilterVerdict | "spent" {
    if (this.filter === null) return "matched";
    if (!body) return "not_matched";
    this.bytesLeft -= body.length;
    if (this.isSpent()) return "spent";
    const payload = readPayload(body, reading?.event ?? {});
    if (!payload.ok) return "not_matched";
    const given = Math.min(comparisonsFor(body.length), this.comparisonsLeft);
    const comparisons = new Comparisons(given);
    const verdict = this.filter(payload.value, comparisons);
    this.comparisonsLeft -= given - Math.max(0, comparisons.left);
    return verdict === "too_costly" && given < comparisonsFor(body.length) ? "spent" : verdict;
  }
}

function note(preview: FilterPreview, { summary: { id, type, receivedAt } }: ExportedEvent, verdict: FilterVerdict): void {
  preview.of += 1;
  if (verdict === "too_costly") {
    preview.tooCostly += 1;
    return;
  }
  if (verdict === "matched") preview.matching += 1;
  const examples = verdict === "matched" ? preview.examples.matching : preview.examples.other;
  if (examples.length < EXAMPLES) examples.push({ id, type, receivedAt });
}
