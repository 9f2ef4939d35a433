import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { RETENTION } from "#lib/auth/audit/audit-entry";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { DismissalFilter, DismissalResult, RestorationFilter, RestorationResult } from "#lib/contracts/quarantine";
import { inTransaction, pool } from "#lib/db/pool";
import { deleteExpiredQuarantine, listExpiredQuarantines } from "#lib/quarantine/quarantine-store";
import { markDismissed, markRestored } from "#lib/quarantine/review-store";

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
