import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { SuspensionReason } from "#lib/contracts/forwarding/destinations";
import { recordDelivered, recordUndelivered, settleDestination, type Undelivered } from "#lib/flows/issues/record-undelivered";
import { type DeliveryPlace, findPlaces } from "#lib/forwarding/delivery-list-store";
import type { DeliveryResult } from "#lib/forwarding/sender/result-store";

export type StateChange = { id: string; workspaceId: WorkspaceId; to: "active" | "suspended"; reason: SuspensionReason | null };

const REASONS: Record<SuspensionReason, string> = {
  failing: "too many attempts failed. The last one:",
  gone: "it answered 410 Gone. The last attempt:",
  no_success: "nothing was delivered for 120 hours. The last attempt:",
};

export async function recordIssues(client: pg.PoolClient, results: DeliveryResult[], changes: StateChange[], now: Date): Promise<void> {
  const exhausted = results.filter(({ next }) => next?.state === "exhausted");
  const suspended = changes.flatMap((change) => (change.to === "suspended" ? suspensionOf(change, results) : []));
  // One that was exhausted before was attempted before.
  const late = results.filter(({ next, number }) => next?.state === "delivered" && number > 1);
  const concerned = [...exhausted, ...suspended.map(({ result }) => result), ...late];
  if (concerned.length > 0) {
    const places = await findPlaces(
      client,
      concerned.map(({ deliveryId }) => deliveryId),
    );
    const undelivered = [
      ...exhausted.map((result) => undeliveredOf(result, "deliveries_exhausted", result.result.detail, places)),
      ...suspended.map(({ result, words }) => undeliveredOf(result, "destination_suspended", words, places)),
    ];
    await recordUndelivered(client, undelivered.flat(), now);
    await recordDelivered(
      client,
      late.flatMap(({ deliveryId }) => places.get(deliveryId) ?? []),
      now,
    );
  }
  for (const { id, workspaceId, to } of changes)
    if (to === "active") await settleDestination(client, { workspaceId, destinationId: id }, ["destination_suspended"], now);
}

function suspensionOf({ id, reason }: StateChange, results: DeliveryResult[]): { result: DeliveryResult; words: string }[] {
  const result = results.findLast((each) => each.destinationId === id && each.result.outcome !== "delivered");
  if (!result || reason === null) return [];
  return [{ result, words: `${REASONS[reason]} ${result.result.detail}` }];
}

function undeliveredOf(
  { deliveryId }: DeliveryResult,
  code: Undelivered["code"],
  words: string,
  places: Map<number, DeliveryPlace>,
): Undelivered[] {
  const place = places.get(deliveryId);
  return place ? [{ ...place, code, words }] : [];
}
