import type pg from "pg";
import { actorName } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { isOfType } from "#lib/contracts/events/event-filters";
import type { ResourceRef } from "#lib/contracts/events/events";
import type { DeliveryDetail } from "#lib/contracts/forwarding/deliveries";
import type { DeliveryRetriesBody, RetriesDryRun } from "#lib/contracts/forwarding/delivery-retries";
import type { Operation } from "#lib/contracts/operations";
import { notifySoon } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { listSourcesOf } from "#lib/events/log/event-lookup-store";
import { recordUndelivered } from "#lib/flows/issues/record-undelivered";
import { type OperationWork, runQueued, showOperation } from "#lib/flows/operations/operations";
import { readDeliveryId, subjectOf } from "#lib/forwarding/delivery";
import {
  countRestartable,
  insertDeliveries,
  insertUnmatched,
  listReceiving,
  type NewDelivery,
  type ReceivingDestination,
  type RestartPlace,
  type RestartSet,
  restartChunk,
  restartDelivery,
} from "#lib/forwarding/delivery-store";
import { findNames } from "#lib/forwarding/destination-store";
import { BatchFilters } from "#lib/forwarding/match-filter";
import { insertOperation } from "#lib/operations/operation-store";
import { readPayload } from "#lib/platform/payload";
import { readingOf, type SourceReading, type SourceReadings } from "#lib/platform/read-event";
import type { Claimed } from "#lib/processing/inbox-store";
import { listToDestinations } from "#lib/processing/redelivery-store";
import { findReadings } from "#lib/sources/reading-store";
import { Pauses } from "#lib/time/waits";
import { readDelivery } from "./read-deliveries.ts";

/** Records which destinations events must reach, in the transaction in which they leave the inbox, so that nothing is lost in between.
 * Failed events are handed on like any other: they verified. A filter that was too costly makes a delivery that a person decides about. */
export async function recordDeliveries(client: pg.PoolClient, leaving: Leaving[], now: Date): Promise<void> {
  const destinations = await listReceiving(client, [...new Set(leaving.map(({ claimed }) => claimed.workspaceId))]);
  if (destinations.length === 0) return;
  const isFiltered = destinations.some(({ filter }) => filter !== null);
  const sources = destinations.some(({ sourceIds }) => sourceIds.length > 0 || isFiltered)
    ? await listSourcesOf(
        client,
        leaving.map(({ claimed }) => claimed),
      )
    : new Map<number, string>();
  const wanted = await listWanted(client, leaving);
  const isAgain = ({ claimed: { redeliveryId } }: Leaving) => redeliveryId !== null && wanted.has(redeliveryId);
  const readings = isFiltered ? await findReadings(client, [...new Set(sources.values())]) : new Map<string, SourceReading>();
  const selection = new DeliverySelection(destinations, sources, readings);
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
  const exhausted = { code: "deliveries_exhausted", words: UNMATCHED.detail } as const;
  const undelivered = written.map((each) => ({ ...each, ...exhausted }));
  await recordUndelivered(client, undelivered, now);
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

type Leaving = { claimed: Claimed; refs: readonly ResourceRef[] };

/** `tooCostly`: the match was stopped, so it is unknown. */
type Selection = { matched: NewDelivery[]; tooCostly: NewDelivery[] };

class DeliverySelection {
  private readonly filters = new Map<string, BatchFilters>();
  private readonly pauses = new Pauses();
  private readonly destinations: ReceivingDestination[];
  private readonly sources: ReadonlyMap<number, string>;
  private readonly readings: SourceReadings;

  /** @param sources source by the event's sequence number, where a destination filters by it or by the body */
  constructor(destinations: ReceivingDestination[], sources: ReadonlyMap<number, string>, readings: SourceReadings) {
    this.destinations = destinations;
    this.sources = sources;
    this.readings = readings;
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
    const payload = candidates.some(({ filter }) => filter !== null)
      ? payloadOf(body, readingOf(this.readings, this.sources.get(seq) ?? ""))
      : undefined;
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
  (destination.types.length === 0 || destination.types.some((asked) => isOfType(asked, claimed.type))) &&
  (destination.sourceIds.length === 0 || (sourceId !== undefined && destination.sourceIds.includes(sourceId))) &&
  (isAgain || isNew(claimed, destination));

/** True if the destination should have had the event before. A re-delivery brings nothing older than the destination, unless asked. */
const isNew = ({ redeliveryId, receivedAt }: Claimed, { createdAt }: ReceivingDestination) =>
  redeliveryId === null || receivedAt >= createdAt;

function payloadOf(body: Buffer, { event }: SourceReading): unknown {
  const payload = readPayload(body, event ?? {});
  return payload.ok ? payload.value : undefined;
}

/** Sends a delivery again in any state, with the same `webhook-id`. @throws AppError `not_found`; `conflict` when it can't be sent */
export async function retryDelivery({ workspaceId, audit }: Context, publicId: string): Promise<DeliveryDetail> {
  const id = readDeliveryId(publicId);
  const before = id === null ? null : await readDelivery(workspaceId, publicId);
  if (id === null || !before) throw new AppError("not_found", "There is no delivery with that ID.");
  if (before.body === null) throw new AppError("conflict", "The event was deleted by retention and can't be sent.");
  const state = await restartDelivery(workspaceId, id);
  if (state === null) throw new AppError("conflict", "This delivery is already being sent, or its destination was deleted.");
  await audit.record({
    action: "delivery.retried",
    target: { kind: "delivery", id: publicId, name: before.event.id },
    before: { state: before.state },
    after: { state },
  });
  notifySoon(pool(), "destinations", workspaceId);
  return (await readDelivery(workspaceId, publicId)) ?? before;
}

/** Rows a statement: each ends well within its time limit, and a stop takes effect within a second. */
const CHUNK = 1000;

type Filter = DeliveryRetriesBody["filter"];
type Input = { filter: Filter };

export async function dryRunRetries(workspaceId: WorkspaceId, filter: Filter): Promise<RetriesDryRun> {
  const counts = await countRestartable(setOf(workspaceId, filter));
  const names = await findNames(workspaceId, [...counts.keys()]);
  const destinations = [...counts].map(([id, deliveries]) => ({ id, name: names.get(id) ?? id, deliveries }));
  return { deliveries: destinations.reduce((sum, { deliveries }) => sum + deliveries, 0), destinations };
}

/** @throws AppError `conflict` while another retry of the workspace is running */
export async function requestRetries({ workspaceId, actor, audit }: Context, filter: Filter): Promise<Operation> {
  const input = { filter } satisfies Input;
  const { outcome, operation } = await insertOperation(workspaceId, { kind: "retry", requestedBy: actorName(actor), input });
  if (outcome === "busy")
    throw new AppError("conflict", "Deliveries are already being sent again. Wait until that has finished, or stop it.");
  await audit.record({ action: "retry.started", target: { kind: "operation", id: operation.id }, after: { filter } });
  return showOperation(operation);
}

export const runRetries = (signal: AbortSignal): Promise<void> => runQueued("retry", retry, signal);

type Checkpoint = { destination: string; place: RestartPlace | null };

/** Restarts deliveries in chunks, each in a transaction with its checkpoint. */
const retry: OperationWork = async ({ workspaceId, input, checkpoint, counts, createdAt, ...before }, { signal, commit }) => {
  const set = { ...setOf(workspaceId, (input as Input).filter), until: createdAt };
  const remaining = await countRestartable(set);
  const from = checkpoint as Checkpoint | null;
  const total = before.total || [...remaining.values()].reduce((sum, n) => sum + n, 0);
  let { done } = before;
  let { queued = 0, skipped = 0 } = counts;
  for (const destination of remaining.keys()) {
    if (from && destination < from.destination) continue;
    let place = from?.destination === destination ? from.place : null;
    let more = true;
    while (more && !signal.aborted) {
      await commit(async (client) => {
        const chunk = await restartChunk(client, set, destination, place, CHUNK);
        more = chunk !== null;
        done += chunk?.examined ?? 0;
        queued += chunk?.started ?? 0;
        skipped += chunk ? chunk.examined - chunk.started : 0;
        place = chunk?.last ?? place;
        const at: Checkpoint = { destination, place };
        return { done, total: Math.max(total, done), counts: { queued, skipped }, checkpoint: at };
      });
      notifySoon(pool("worker"), "destinations", workspaceId);
    }
  }
  return { outcome: signal.aborted ? "stopped" : "finished" };
};

function setOf(workspaceId: WorkspaceId, filter: Filter): RestartSet {
  const { destination, state, type, outcome, from, to } = filter;
  return {
    workspaceId,
    destinations: destination === undefined ? null : [destination],
    narrowing: {
      states: state,
      types: type,
      outcomes: outcome,
      from: from ? new Date(from) : undefined,
      to: to ? new Date(to) : undefined,
    },
  };
}
