import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { RETENTION } from "#lib/auth/audit/audit-entry";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/parameters";
import type {
  Diagnosis,
  DismissalFilter,
  DismissalResult,
  QuarantineDetail,
  QuarantineItem,
  RestorationFilter,
  RestorationResult,
} from "#lib/contracts/quarantine";
import type { QuarantineFilter } from "#lib/contracts/quarantine-filters";
import { inTransaction, pool } from "#lib/db/pool";
import { rawOf } from "#lib/flows/events/read-event";
import { locateJsonError } from "#lib/platform/json-text";
import { explainReason } from "#lib/quarantine/quarantine-reason";
import {
  deleteExpiredQuarantine,
  findQuarantined,
  listExpiredQuarantines,
  listQuarantine,
  type QuarantinedRequest,
} from "#lib/quarantine/quarantine-store";
import { markDismissed, markRestored } from "#lib/quarantine/review-store";
import { shownHeaders } from "#lib/vault/sealed-values";
import { diagnosePage, diagnoseQuarantined } from "./diagnose-quarantined.ts";

const itemOf = (entry: QuarantinedRequest, diagnosis: Diagnosis | null): QuarantineItem => ({
  id: entry.id,
  source: entry.sourceName,
  receivedAt: entry.receivedAt.toISOString(),
  reason: entry.reason,
  ...wordsOf(entry, diagnosis),
  diagnosis,
  verified: entry.verified,
  bytes: entry.bodyBytes,
  ip: entry.remoteAddress,
  releasedAt: entry.releasedAt?.toISOString() ?? null,
  dismissedAt: entry.dismissedAt?.toISOString() ?? null,
  dismissedBy: entry.dismissedBy,
});

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
  paging: { limit: number; cursor?: string | undefined },
  now: Date,
): Promise<Page<QuarantineItem>> {
  const page = await listQuarantine(workspaceId, filter, paging);
  const diagnoses = await diagnosePage(workspaceId, page.data, now);
  return { data: page.data.map((entry) => itemOf(entry, diagnoses.get(entry.id) ?? null)), nextCursor: page.nextCursor };
}

export async function readQuarantined(workspaceId: WorkspaceId, id: string, now: Date): Promise<QuarantineDetail | null> {
  const entry = await findQuarantined(workspaceId, id);
  if (!entry) return null;
  const diagnosis = await diagnoseQuarantined(workspaceId, entry, now);
  return {
    ...itemOf(entry, diagnosis),
    ...exchangeOf(entry),
    detail: entry.detail,
    parseError: parseErrorOf(entry),
    ...rawOf(Buffer.from(entry.body)),
  };
}

/** Returns null for a cut or empty body, of which the error would say nothing. */
const parseErrorOf = ({ body, bodyBytes }: QuarantinedRequest) =>
  body.length === 0 || body.length < bodyBytes ? null : locateJsonError(body);

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
export function dismissQuarantined(actor: Actor, filter: DismissalFilter, audit: Audit): Promise<DismissalResult> {
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
export function restoreDismissed(actor: Actor, filter: RestorationFilter, audit: Audit): Promise<RestorationResult> {
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
