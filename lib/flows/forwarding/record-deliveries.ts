import type pg from "pg";
import { listSourcesOf } from "#lib/events/event-source-store";
import { recordUndelivered } from "#lib/flows/issues/record-undelivered";
import { insertDeliveries, insertUnmatched, listReceiving, type NewDelivery } from "#lib/forwarding/delivery-insert-store";
import { listToDestinations } from "#lib/processing/redelivery/redelivery-store";
import { DeliverySelection, type Leaving, type Selection } from "./select-deliveries.ts";

/** Records which destinations events must reach, in the transaction in which they leave the inbox, so that nothing is lost in between.
 * Failed events are handed on like any other: they verified. A filter that was too costly makes a delivery that a person decides about. */
export async function recordDeliveries(client: pg.PoolClient, leaving: Leaving[], now: Date): Promise<void> {
  const destinations = await listReceiving(client, [...new Set(leaving.map(({ claimed }) => claimed.workspaceId))]);
  if (destinations.length === 0) return;
  const sources = destinations.some(({ sourceIds }) => sourceIds.length > 0)
    ? await listSourcesOf(
        client,
        leaving.map(({ claimed }) => claimed),
      )
    : new Map<number, string>();
  const wanted = await listWanted(client, leaving);
  const isAgain = ({ claimed: { redeliveryId } }: Leaving) => redeliveryId !== null && wanted.has(redeliveryId);
  const selection = new DeliverySelection(destinations, sources);
  const first = leaving.filter((each) => !isAgain(each));
  const again = leaving.filter(isAgain);
  await insert(client, await selection.select(first, false), false, now);
  await insert(client, await selection.select(again, true), true, now);
}

async function insert(client: pg.PoolClient, { matched, tooCostly }: Selection, again: boolean, now: Date): Promise<void> {
  // An event that was delivered twice in this batch is sent once.
  const [deliveries, unmatched] = again ? [eachOnce(matched), eachOnce(tooCostly)] : [matched, tooCostly];
  if (deliveries.length > 0) await insertDeliveries(client, deliveries, again);
  if (unmatched.length === 0) return;
  const written = await insertUnmatched(client, unmatched, UNMATCHED, again);
  await recordUndelivered(
    client,
    written.map((each) => ({ ...each, code: "deliveries_exhausted", words: UNMATCHED.detail })),
    now,
  );
}

const UNMATCHED = {
  outcome: "filter_too_costly",
  detail: "The filter was stopped: it makes too many comparisons for the size of this event",
} as const;

const eachOnce = (deliveries: NewDelivery[]): NewDelivery[] => [
  ...new Map(deliveries.map((each) => [`${each.destinationId} ${each.seq}`, each])).values(),
];

async function listWanted(client: pg.PoolClient, leaving: Leaving[]): Promise<Set<string>> {
  const ids = new Set(leaving.flatMap(({ claimed: { redeliveryId } }) => redeliveryId ?? []));
  return ids.size === 0 ? ids : listToDestinations(client, [...ids]);
}
