import { RETENTION } from "#lib/auth/audit/audit-entry";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { inTransaction, pool } from "#lib/db/pool";
import { giveUpHeld } from "#lib/forwarding/expiry-store";

/** Expires deliveries held until long after their events' retention, with an audit entry: only then may the events leave the log. */
export async function giveUpLongHeld(batch: number): Promise<void> {
  while (await giveUpBatch(batch));
}

const giveUpBatch = (batch: number): Promise<boolean> =>
  inTransaction(pool("worker"), async (client) => {
    const given = await giveUpHeld(client, batch);
    for (const { workspaceId, destinationId, name, count, from, to } of given) {
      const after = { count, receivedFrom: from.toISOString(), receivedTo: to.toISOString() };
      const target = { kind: "destination", id: destinationId, name };
      await insertAudit(workspaceId, { action: "delivery.expired", who: RETENTION, target, after }, client);
    }
    return given.length > 0;
  });
