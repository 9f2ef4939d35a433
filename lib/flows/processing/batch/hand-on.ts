import type pg from "pg";
import { inSavepoint } from "#lib/db/pool";
import { recordDeliveries } from "#lib/flows/forwarding/record-deliveries";
import { planDelivery } from "#lib/flows/processing/plan-delivery";
import type { SourceReadings } from "#lib/platform/reading/source-reading";
import { type Claimed, markHandedOn } from "#lib/processing/inbox-store";
import { holdReadings } from "#lib/sources/reading-store";
import { isDatabaseAway } from "./batch-failure.ts";

/** Hands on events that stay in the inbox: those of the same subject that are applied before must not overtake them
 * (docs/decisions/0048). Re-deliveries are handed on once they are applied. */
export async function handOn(client: pg.PoolClient, events: Claimed[], readings: SourceReadings, now: Date): Promise<void> {
  const first = events.filter(({ redeliveryId }) => redeliveryId === null);
  if (first.length === 0) return;
  await recordDeliveries(
    client,
    first.map((claimed) => {
      const { plan } = planDelivery(claimed, readings);
      return { claimed, refs: plan.outcome === "touches" ? plan.refs : [] };
    }),
    now,
  );
  await markHandedOn(client, first);
}

/** Hands on an event that failed. If that fails too, destinations in order wait for it. */
export async function handOnAnyway(client: pg.PoolClient, claimed: Claimed, now: Date): Promise<void> {
  try {
    await inSavepoint(client, async () => handOn(client, [claimed], await holdReadings(client, [claimed.sourceId]), now));
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
  }
}
