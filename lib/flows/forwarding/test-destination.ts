import type { Actor } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { DestinationTest } from "#lib/contracts/forwarding/destinations";
import type { ReceivedEvent } from "#lib/events/log/body-store";
import { fixOf } from "#lib/forwarding/attempt/outcomes";
import { type OutgoingEvent, requestOf } from "#lib/forwarding/attempt/request-headers";
import { type AttemptResult, sendAttempt } from "#lib/forwarding/attempt/send-attempt";
import { TargetConnection } from "#lib/forwarding/attempt/target-connection";
import { withoutUrl } from "#lib/forwarding/attempt/without-url";
import { openSigningSecrets } from "#lib/forwarding/destination-secret-store";
import { findDestination, openDestinationUrl, type StoredDestination } from "#lib/forwarding/destination-store";
import { readTargetUrl } from "#lib/forwarding/target/target-url";
import type { SourceSender } from "#lib/platform/schemes/passed-headers";
import { SAMPLE_TYPE, sampleRequest } from "#lib/platform/schemes/sample-request";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import { listSenders, listSources } from "#lib/sources/source-store";
import { openHeaders, sealedValues } from "#lib/vault/sealed-headers";
import { findNewestHandedOn } from "./preview-filter.ts";
import { bytesOf } from "./read-deliveries.ts";

const TYPE = "document.processed";

/** Sends an event as a delivery goes, in any state, and waits for the answer; it is neither stored nor counted. In pass-through mode it is
 * the newest matching one that is stored. @throws AppError `not_found`; `conflict` when there is none */
export async function testDestination(actor: Actor, id: string, now: Date, audit: Audit): Promise<DestinationTest> {
  const destination = await findDestination(actor.workspaceId, id);
  if (!destination) throw new AppError("not_found", "There is no destination with that ID.");
  const event = await eventFor(actor.workspaceId, destination, now);
  const result = await send(actor.workspaceId, destination, event, now);
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
  const names = new Map((await listSources(workspaceId)).map(({ id, name }) => [id, name]));
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
  const signing = { mode, secrets: mode === "pass_through" ? [] : await openSigningSecrets(workspaceId, id) };
  const connection = new TargetConnection(read.target);
  try {
    const { secrets, ...request } = requestOf({ ...event, deliveryId: "dlv_test", number: 1 }, signing, read.target, now);
    const result = await sendAttempt(connection, request, now, new AbortController().signal);
    if (!result) throw new Error("the test was given up");
    const hidden = [...secrets, ...sealed];
    return hidden.length === 0 ? result : withoutUrl(result, url, hidden);
  } finally {
    connection.close();
  }
}

const testOf = (url: string, { at, outcome, detail, requestHeaders: headers, answer, totalMs }: AttemptResult): DestinationTest => ({
  at: at.toISOString(),
  outcome,
  detail,
  fix: fixOf(outcome),
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
