import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ReportedDelivery } from "#lib/contracts/events/listeners";
import { notifySoon } from "#lib/db/notify/notify";
import { pool } from "#lib/db/pool";
import { insertLocalDeliveries } from "#lib/listeners/local-delivery-store";

/** Keeps what a local app answered, for the events' pages; open pages hear of it. @returns how many were kept */
export async function keepLocalDeliveries(workspaceId: WorkspaceId, deliveries: ReportedDelivery[], recordedBy: string): Promise<number> {
  const kept = await insertLocalDeliveries(workspaceId, deliveries, recordedBy);
  if (kept > 0) notifySoon(pool(), "applied", workspaceId);
  return kept;
}
