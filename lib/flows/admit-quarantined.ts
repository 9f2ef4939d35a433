import type { WorkspaceId } from "#lib/contracts/ids";
import type { AdmissionsBody, AdmissionsResult, AdmitResult } from "#lib/contracts/quarantine";
import { findQuarantined, listUnadmitted, markAdmitted, type QuarantineEntry } from "#lib/events/quarantine-store";
import type { NewEvent, Receipt } from "#lib/events/receipt";
import { ReceiverLog } from "#lib/events/receiver-log";
import { type ReceivingSource, readSource } from "#lib/events/source-lookup-store";
import { readEnvelope } from "#lib/platform/envelope";
import { describeType } from "#lib/platform/event-catalogue";
import { SIGNATURE_HEADER, verifySignature } from "#lib/platform/signature";

/** Bodies of refused requests are short (64 KB): this many are 13 MB at the most. */
const A_CALL = 200;

type Judgement = { outcome: "verifies"; event: NewEvent } | { outcome: "refused"; reason: string };

/**
 * Verifies a refused request again, with the secrets of today, and stores its
 * event when it passes. Never admits on a guess: what does not verify stays.
 *
 * @returns null when the workspace has none of that id
 */
export async function admitQuarantined(workspaceId: WorkspaceId, id: string, by: string): Promise<AdmitResult | null> {
  const entry = await findQuarantined(workspaceId, id);
  if (!entry) return null;
  const judgement = judge(entry, await readSource(entry.sourceName));
  if (judgement.outcome === "refused") return { admitted: false, eventId: null, reason: judgement.reason };
  const receipt = await new ReceiverLog().append(judgement.event);
  await markAdmitted(workspaceId, [id], by);
  const repeated = receipt.outcome === "stored" ? null : "The log had this event already.";
  return { admitted: true, eventId: judgement.event.eventId, reason: repeated };
}

/**
 * The same for all that match a filter, oldest first, a bounded number a call:
 * each is verified on its own, and what can't be stored just now stays.
 * Harmless to repeat.
 */
export async function admitMatching(workspaceId: WorkspaceId, request: AdmissionsBody, by: string): Promise<AdmissionsResult> {
  const { filter, dryRun, cursor } = request;
  const { data: entries, nextCursor } = await listUnadmitted(workspaceId, filter, { limit: A_CALL, cursor });
  const sources = await readSources(entries);
  const passed = entries.flatMap((entry) => {
    const judgement = judge(entry, sources.get(entry.sourceName) ?? null);
    return judgement.outcome === "verifies" ? [{ entry, event: judgement.event }] : [];
  });
  const counts = { dryRun, examined: entries.length, verifying: passed.length, stillRefused: entries.length - passed.length, nextCursor };
  if (dryRun) return { ...counts, admitted: 0, repeated: 0, failed: 0 };
  const log = new ReceiverLog();
  const receipts = await Promise.all(passed.map(({ event }) => log.append(event).catch(() => null)));
  const stored = passed.filter((_, index) => receipts[index] !== null).map(({ entry }) => entry.id);
  await markAdmitted(workspaceId, stored, by);
  return { ...counts, ...countReceipts(receipts) };
}

function countReceipts(receipts: (Receipt | null)[]): Pick<AdmissionsResult, "admitted" | "repeated" | "failed"> {
  const admitted = receipts.filter((receipt) => receipt?.outcome === "stored").length;
  const failed = receipts.filter((receipt) => receipt === null).length;
  return { admitted, repeated: receipts.length - admitted - failed, failed };
}

/** Read now and not from the cache: whoever has just mended a secret presses next. */
async function readSources(entries: QuarantineEntry[]): Promise<Map<string, ReceivingSource | null>> {
  const names = [...new Set(entries.map(({ sourceName }) => sourceName))];
  return new Map(await Promise.all(names.map(async (name) => [name, await readSource(name)] as const)));
}

function judge(entry: QuarantineEntry, source: ReceivingSource | null): Judgement {
  const refused = (reason: string): Judgement => ({ outcome: "refused", reason });
  if (entry.admittedAt) return refused("It was admitted before.");
  if (entry.body.length !== entry.bodyBytes)
    return refused("Only the beginning of the body was kept, so it can't be verified. Let the platform send it again.");
  if (!source) return refused("Its source is not there any more.");
  const verification = verifySignature(entry.body, entry.headers[SIGNATURE_HEADER], source.secrets);
  if (verification.outcome !== "verified") return refused("It still does not verify with this source's secrets.");
  const reading = readEnvelope(entry.body);
  if (reading.outcome !== "envelope") return refused(`It is signed rightly, but is not an event. ${reading.detail}`);
  const { id, type, created } = reading.envelope;
  const event: NewEvent = {
    workspaceId: entry.workspaceId,
    sourceId: entry.sourceId,
    eventId: id,
    type,
    created,
    recognised: describeType(type) !== null,
    signatureForm: "admitted",
    secretId: verification.secretId,
    body: entry.body,
    headers: entry.headers,
    remoteAddress: entry.remoteAddress,
    receivedAt: new Date(),
  };
  return { outcome: "verifies", event };
}
