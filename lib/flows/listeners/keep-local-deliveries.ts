import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ReportedDelivery } from "#lib/contracts/events/listeners";
import { notifySoon } from "#lib/db/notify/notify";
import { pool } from "#lib/db/pool";
import { insertLocalDeliveries } from "#lib/listeners/local-delivery-store";

/** Stores what a local app answered and refreshes open pages. Returns how many were stored. */
export async function keepLocalDeliveries(workspaceId: WorkspaceId, deliveries: ReportedDelivery[], recordedBy: string): Promise<number> {
  const kept = await insertLocalDeliveries(workspaceId, deliveries, recordedBy);
  if (kept > 0) notifySoon(pool(), "applied", workspaceId);
  return kept;
}
