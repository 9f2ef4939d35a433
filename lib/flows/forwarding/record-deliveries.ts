import type pg from "pg";
import type { ResourceRef } from "#lib/contracts/events/events";
import { listSourcesOf } from "#lib/events/event-source-store";
import { insertDeliveries, listReceiving, type NewDelivery, type ReceivingDestination } from "#lib/forwarding/delivery-insert-store";
import { matchesFilter } from "#lib/forwarding/filter/match-filter";
import { subjectOf } from "#lib/forwarding/subject";
import { parseJson } from "#lib/platform/envelope";
import type { Claimed } from "#lib/processing/inbox-store";
import { listToDestinations } from "#lib/processing/redelivery/redelivery-store";

/** An event that leaves the inbox, and the records that it names. */
export type Leaving = { claimed: Claimed; refs: readonly ResourceRef[] };

/**
 * Writes down which destinations the events must reach, in the transaction in
 * which they leave the inbox, so that nothing falls between. An event that could
 * not be applied is handed on like any other: it verified, and what Signalbox
 * makes of it is no concern of the receiver's.
 *
 * Costs one small statement for a batch of workspaces without a destination.
 */
export async function recordDeliveries(client: pg.PoolClient, leaving: Leaving[]): Promise<void> {
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
  const of = (each: Leaving) => deliveriesOf(each, destinations, sources.get(each.claimed.seq), isAgain(each));
  const first = leaving.filter((each) => !isAgain(each)).flatMap(of);
  if (first.length > 0) await insertDeliveries(client, first);
  // An event that was delivered twice in this batch is sent once.
  const again = new Map(
    leaving
      .filter(isAgain)
      .flatMap(of)
      .map((each) => [`${each.destinationId} ${each.seq}`, each]),
  );
  if (again.size > 0) await insertDeliveries(client, [...again.values()], true);
}

/** The re-deliveries among these that are to reach destinations again. */
async function listWanted(client: pg.PoolClient, leaving: Leaving[]): Promise<Set<string>> {
  const ids = new Set(leaving.flatMap(({ claimed: { redeliveryId } }) => redeliveryId ?? []));
  return ids.size === 0 ? ids : listToDestinations(client, [...ids]);
}

function deliveriesOf(
  { claimed, refs }: Leaving,
  destinations: ReceivingDestination[],
  sourceId: string | undefined,
  isAgain: boolean,
): NewDelivery[] {
  const { workspaceId, receivedAt, seq, eventId, type } = claimed;
  const candidates = destinations.filter(
    (each) =>
      each.workspaceId === workspaceId &&
      (each.types.length === 0 || each.types.includes(type)) &&
      (each.sourceIds.length === 0 || (sourceId !== undefined && each.sourceIds.includes(sourceId))) &&
      (isAgain || isNew(claimed, each)),
  );
  // Parsed only where a filter wants it, and let go at once: parsed it may take twenty times its bytes.
  const payload = candidates.some(({ filter }) => filter !== null) ? payloadOf(claimed.body) : undefined;
  return candidates
    .filter(({ filter }) => filter === null || matchesFilter(payload, filter))
    .map(({ id }) => ({ workspaceId, destinationId: id, receivedAt, seq, eventId, type, subject: subjectOf(eventId, refs) }));
}

/** A re-delivery brings a destination what it should have had before, and nothing from before it was made, unless that was asked for. */
const isNew = ({ redeliveryId, receivedAt }: Claimed, { createdAt }: ReceivingDestination) =>
  redeliveryId === null || receivedAt >= createdAt;

function payloadOf(body: Buffer): unknown {
  const json = parseJson(body);
  return json.ok ? json.value : undefined;
}
