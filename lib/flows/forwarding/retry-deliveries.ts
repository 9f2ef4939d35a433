import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { DeliveryDetail } from "#lib/contracts/forwarding/deliveries";
import type { DeliveryRetriesBody, RetriesDryRun } from "#lib/contracts/forwarding/delivery-retries";
import type { Operation } from "#lib/contracts/operations";
import { notifySoon } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { type OperationWork, runQueued, showOperation } from "#lib/flows/operations/operations";
import { readDeliveryId } from "#lib/forwarding/delivery";
import { countRestartable, type RestartPlace, type RestartSet, restartChunk, restartDelivery } from "#lib/forwarding/delivery-store";
import { findNames } from "#lib/forwarding/destination-store";
import { insertOperation } from "#lib/operations/operation-store";
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
export async function requestRetries(actor: Actor, filter: Filter, audit: Audit): Promise<Operation> {
  const input = { filter } satisfies Input;
  const { outcome, operation } = await insertOperation(actor.workspaceId, { kind: "retry", requestedBy: actorName(actor), input });
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
