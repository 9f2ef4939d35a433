import { insertAudit } from "#lib/auth/audit/audit-store";
import { RETENTION } from "#lib/auth/audit/system-actors";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { deleteExpiredQuarantine, listExpiredQuarantines } from "#lib/quarantine/expiry-store";

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
