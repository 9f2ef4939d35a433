import { isUtf8 } from "node:buffer";
import { actorName } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { RETENTION } from "#lib/auth/audit/audit-entry";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import {
  type Diagnosis,
  type DismissalFilter,
  type DismissalResult,
  type QuarantineDetail,
  type QuarantineItem,
  quarantineItem,
  type RestorationFilter,
  type RestorationResult,
} from "#lib/contracts/quarantine";
import type { QuarantineFilter } from "#lib/contracts/quarantine-filters";
import { answered } from "#lib/db/columns";
import { inTransaction, pool } from "#lib/db/pool";
import { rawOf } from "#lib/flows/events/read-event";
import { planFor } from "#lib/flows/processing/plan-delivery";
import { isCoded } from "#lib/platform/content-coding";
import { locateJsonError } from "#lib/platform/json-text";
import { plainText } from "#lib/platform/payload";
import { readingOf, readKept, type SourceReading } from "#lib/platform/read-event";
import {
  deleteExpiredQuarantine,
  findQuarantineBodies,
  findQuarantined,
  listExpiredQuarantines,
  listQuarantine,
  type QuarantinedRequest,
} from "#lib/quarantine/quarantine-store";
import { markDismissed, markRestored } from "#lib/quarantine/review-store";
import { findReadings } from "#lib/sources/reading-store";
import { shownHeaders } from "#lib/vault/sealed-values";
import { diagnosePage, diagnoseQuarantined, explainReason } from "./diagnose-quarantined.ts";

/** Of a larger body, and beyond so many of a page, nothing is read: anyone can send them, and the same process answers webhooks. */
const CLAIM_BYTES = 8192;
const CLAIM_BYTES_OF_PAGE = 262_144;
const MAX_CLAIM = 200;

type Claim = QuarantineItem["claimed"];

/** Reads what a body says of itself, to be shown alone: nothing else may follow from what did not verify. */
function claimOf(entry: QuarantinedRequest, body: Uint8Array, reading: SourceReading): Claim {
  if (body.length === 0 || body.length !== entry.bodyBytes || body.length > CLAIM_BYTES) return null;
  const read = readKept({ body, headers: entry.headers, receivedAt: entry.receivedAt }, reading, CLAIM_BYTES);
  const [first] = read.outcome === "events" ? read.events : [];
  if (!first) return null;
  const { id, type, data } = first.envelope;
  const event = { eventId: id, type, created: 0, data };
  const plan = planFor(event, reading);
  const [named] = plan.outcome === "touches" ? plan.refs : [];
  return { id: shortText(id), type: shortText(type), subject: named ? shortText(`${named.kind} ${named.id}`) : null };
}

const shortText = (text: string): string => plainText(text.slice(0, MAX_CLAIM));

/** Reads the claims of a page by ID, of the newest requests first until the bytes are spent. */
async function claimsOf(workspaceId: WorkspaceId, entries: QuarantinedRequest[]): Promise<Map<string, Claim>> {
  let bytes = 0;
  const small = entries.filter(({ bodyBytes }) => bodyBytes <= CLAIM_BYTES);
  const within = small.filter(({ bodyBytes }) => {
    bytes += bodyBytes;
    return bytes <= CLAIM_BYTES_OF_PAGE;
  });
  const ids = within.map(({ id }) => id);
  const [bodies, readings] = await Promise.all([
    findQuarantineBodies(workspaceId, ids),
    findReadings(pool(), [...new Set(within.map(({ sourceId }) => sourceId))]),
  ]);
  return new Map(within.map((entry) => [entry.id, claimOf(entry, bodies.get(entry.id) ?? NOTHING, readingOf(readings, entry.sourceId))]));
}

const NOTHING = new Uint8Array();

const itemOf = (entry: QuarantinedRequest, diagnosis: Diagnosis | null, claimed: Claim): QuarantineItem => {
  const { sourceName: source, bodyBytes: bytes, remoteAddress: ip } = entry;
  return answered(quarantineItem, { ...entry, ...wordsOf(entry, diagnosis), diagnosis, claimed, source, bytes, ip });
};

function wordsOf(entry: QuarantinedRequest, diagnosis: Diagnosis | null): { verdict: string; fix: string } {
  if (entry.releasedAt) return { verdict: releasedWords(entry), fix: "Nothing to do: its event is in the log." };
  const { verdict, fix } = diagnosis ?? explainReason(entry.reason);
  return { verdict, fix };
}

const releasedWords = ({ verified }: QuarantinedRequest): string =>
  verified
    ? "Valid signature. It couldn't be read as an event at first and was released later."
    : "It failed verification at first, passed later and was released.";

export async function readQuarantine(
  workspaceId: WorkspaceId,
  filter: QuarantineFilter,
  paging: Paging,
  now: Date,
): Promise<Page<QuarantineItem>> {
  const page = await listQuarantine(workspaceId, filter, paging);
  const [diagnoses, claims] = await Promise.all([diagnosePage(workspaceId, page.data, now), claimsOf(workspaceId, page.data)]);
  const data = page.data.map((entry) => itemOf(entry, diagnoses.get(entry.id) ?? null, claims.get(entry.id) ?? null));
  return { data, nextCursor: page.nextCursor };
}

export async function readQuarantined(workspaceId: WorkspaceId, id: string, now: Date): Promise<QuarantineDetail | null> {
  const entry = await findQuarantined(workspaceId, id);
  if (!entry) return null;
  const [diagnosis, readings] = await Promise.all([diagnoseQuarantined(workspaceId, entry, now), findReadings(pool(), [entry.sourceId])]);
  return {
    ...itemOf(entry, diagnosis, claimOf(entry, entry.body, readingOf(readings, entry.sourceId))),
    ...exchangeOf(entry),
    detail: entry.detail,
    parseError: parseErrorOf(entry),
    ...rawOf(Buffer.from(entry.body)),
  };
}

/** Returns null for a cut, empty or compressed body, of which the error would say nothing. */
const parseErrorOf = ({ body, bodyBytes, headers }: QuarantinedRequest) =>
  body.length === 0 || body.length < bodyBytes || (isCoded(headers["content-encoding"]) && !isUtf8(body)) ? null : locateJsonError(body);

/** Returns the request line, and the answer: 202 to whatever verified, which the sender does not send again. */
const exchangeOf = ({ sourceName, headers, verified }: QuarantinedRequest) => ({
  method: "POST" as const,
  path: `/webhooks/${encodeURIComponent(sourceName)}`,
  headers: shownHeaders(headers),
  answered: verified ? (202 as const) : (401 as const),
});

/** Names a single request in the audit log; of many it has the filter. */
const targetOf = ({ ids }: { ids?: string[] | undefined }) => (ids?.length === 1 && ids[0] ? { kind: "quarantine", id: ids[0] } : null);

/** Sets matching requests aside, never without an audit entry. They can still be released. */
export function dismissQuarantined({ actor, audit }: Context, filter: DismissalFilter): Promise<DismissalResult> {
  return inTransaction(pool(), async (client) => {
    const dismissal = newId("dis");
    const dismissed = await markDismissed(client, actor.workspaceId, filter, { dismissal, by: actorName(actor) });
    const target = targetOf(filter);
    const [before, after] = [{ state: "quarantined" }, { state: "dismissed", filter, dismissed, dismissal }];
    if (dismissed === 0) audit.unchanged();
    else await audit.record({ action: "quarantine.dismissed", ...(target && { target }), before, after }, client);
    return { dismissed, dismissal: dismissed === 0 ? null : dismissal };
  });
}

/** Restores all of one dismissal, or single requests. */
export function restoreDismissed({ actor, audit }: Context, filter: RestorationFilter): Promise<RestorationResult> {
  return inTransaction(pool(), async (client) => {
    const restored = await markRestored(client, actor.workspaceId, filter);
    const target = targetOf(filter);
    const [before, after] = [{ state: "dismissed" }, { state: "quarantined", filter, restored }];
    if (restored === 0) audit.unchanged();
    else await audit.record({ action: "quarantine.restored", ...(target && { target }), before, after }, client);
    return { restored };
  });
}

/** Deletes verified requests that have outlived the retention, by calendar month like events, with an audit entry.
 * May be stopped at any point; the next round continues. */
export async function expireQuarantine(batch: number): Promise<void> {
  for (const workspaceId of await listExpiredQuarantines()) while (await expireBatch(workspaceId, batch));
}

const expireBatch = (workspaceId: WorkspaceId, batch: number): Promise<boolean> =>
  inTransaction(pool("worker"), async (client) => {
    const expired = await deleteExpiredQuarantine(client, workspaceId, batch);
    if (!expired) return false;
    const { count, released, from, to } = expired;
    const after = { count, released, receivedFrom: from, receivedTo: to };
    await insertAudit(workspaceId, { action: "quarantine.expired", who: RETENTION, after }, client);
    return true;
  });
