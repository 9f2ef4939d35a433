import type { Actor } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { DeliveryDetail } from "#lib/contracts/forwarding/deliveries";
import { notifySoon } from "#lib/db/notify/notify";
import { pool } from "#lib/db/pool";
import { readDeliveryId } from "#lib/forwarding/delivery-id";
import { restartDelivery } from "#lib/forwarding/delivery-restart-store";
import { readDelivery } from "./read-deliveries.ts";

/** Sends a delivery again in any state, with the same `webhook-id`. @throws AppError `not_found`; `conflict` when it can't be sent */
export async function retryDelivery(actor: Actor, publicId: string, audit: Audit): Promise<DeliveryDetail> {
  const id = readDeliveryId(publicId);
  const before = id === null ? null : await readDelivery(actor.workspaceId, publicId);
  if (id === null || !before) throw new AppError("not_found", "There is no delivery with that ID.");
  if (before.body === null) throw new AppError("conflict", "The event was deleted by retention and can't be sent.");
  if (!(await restartDelivery(actor.workspaceId, id)))
    throw new AppError("conflict", "This delivery is already being sent, or its destination was deleted.");
  await audit.record({
    action: "delivery.retried",
    target: { kind: "delivery", id: publicId, name: before.event.id },
    before: { state: before.state },
  });
  notifySoon(pool(), "destinations", actor.workspaceId);
  return (await readDelivery(actor.workspaceId, publicId)) ?? before;
}
