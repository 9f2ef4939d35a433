import { insertAudit } from "#lib/auth/audit/audit-store";
import { RETENTION } from "#lib/auth/audit/system-actors";
import { inTransaction, pool } from "#lib/db/pool";
import { giveUpHeld } from "#lib/forwarding/expiry-store";

/**
 * Gives up deliveries whose destination could not be sent to until long after
 * their events' retention: only then may these events leave the log. The audit
 * log says how many of which destination, in the transaction that gives them up.
 *
 * May be stopped at any point; the next round goes on.
 */
export async function giveUpLongHeld(batch: number): Promise<void> {
  while (await giveUpBatch(batch));
}

/** @returns false when nothing was left to give up */
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
