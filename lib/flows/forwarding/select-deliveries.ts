import type { ResourceRef } from "#lib/contracts/events/events";
import type { NewDelivery, ReceivingDestination } from "#lib/forwarding/delivery-insert-store";
import { BatchFilters } from "#lib/forwarding/filter/batch-filters";
import { subjectOf } from "#lib/forwarding/subject";
import { readPayload } from "#lib/platform/reading/payload";
import type { Claimed } from "#lib/processing/inbox-store";
import { Pauses } from "#lib/time/pauses";

export type Leaving = { claimed: Claimed; refs: readonly ResourceRef[] };

/** `tooCostly`: the match was stopped, so it is unknown. */
export type Selection = { matched: NewDelivery[]; tooCostly: NewDelivery[] };

export class DeliverySelection {
  private readonly filters = new Map<string, BatchFilters>();
  private readonly pauses = new Pauses();
  private readonly destinations: ReceivingDestination[];
  private readonly sources: ReadonlyMap<number, string>;

  /** @param sources source by the event's sequence number, where a destination filters by it */
  constructor(destinations: ReceivingDestination[], sources: ReadonlyMap<number, string>) {
    this.destinations = destinations;
    this.sources = sources;
  }

  /** @param isAgain also for destinations that should not have had these events before */
  async select(leaving: Leaving[], isAgain: boolean): Promise<Selection> {
    const selection: Selection = { matched: [], tooCostly: [] };
    for (const each of leaving) await this.add(selection, each, isAgain);
    return selection;
  }

  private async add(selection: Selection, { claimed, refs }: Leaving, isAgain: boolean): Promise<void> {
    const candidates = this.destinations.filter((each) => isCandidate(claimed, each, this.sources.get(claimed.seq), isAgain));
    if (candidates.length === 0) return;
    const { workspaceId, receivedAt, seq, eventId, type, body } = claimed;
    const subject = subjectOf(eventId, refs);
    // Parsed only where a filter wants it, and let go at once: parsed it may take twenty times its bytes.
    const payload = candidates.some(({ filter }) => filter !== null) ? payloadOf(body) : undefined;
    for (const { id, filter } of candidates) {
      const verdict = filter === null ? "matched" : this.filtersOf(workspaceId).match({ id, filter }, payload, body.length);
      const delivery = { workspaceId, destinationId: id, receivedAt, seq, eventId, type, subject };
      if (verdict === "matched") selection.matched.push(delivery);
      if (verdict === "too_costly") selection.tooCostly.push(delivery);
      if (filter !== null) await this.pauses.afterPiece();
    }
  }

  private filtersOf(workspaceId: string): BatchFilters {
    const count = () => this.destinations.filter((each) => each.workspaceId === workspaceId && each.filter !== null).length;
    const filters = this.filters.get(workspaceId) ?? new BatchFilters(count());
    this.filters.set(workspaceId, filters);
    return filters;
  }
}

const isCandidate = (claimed: Claimed, destination: ReceivingDestination, sourceId: string | undefined, isAgain: boolean): boolean =>
  destination.workspaceId === claimed.workspaceId &&
  (destination.types.length === 0 || destination.types.includes(claimed.type)) &&
  (destination.sourceIds.length === 0 || (sourceId !== undefined && destination.sourceIds.includes(sourceId))) &&
  (isAgain || isNew(claimed, destination));

/** True if the destination should have had the event before. A re-delivery brings nothing older than the destination, unless asked. */
const isNew = ({ redeliveryId, receivedAt }: Claimed, { createdAt }: ReceivingDestination) =>
  redeliveryId === null || receivedAt >= createdAt;

function payloadOf(body: Buffer): unknown {
  const payload = readPayload(body);
  return payload.ok ? payload.value : undefined;
}
