import { type Actor, mayDo } from "#lib/auth/actor";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { attemptOutcome } from "#lib/contracts/forwarding/deliveries";
import type { Destination } from "#lib/contracts/forwarding/destinations";
import { maskedUrl } from "#lib/contracts/safe-urls";
import { fixOf } from "#lib/forwarding/attempt/outcomes";
import { findDestination, listDestinations, type StoredDestination } from "#lib/forwarding/destination-store";
import { listSources } from "#lib/sources/source-store";

export async function readDestinations(workspaceId: WorkspaceId): Promise<Destination[]> {
  const [stored, names] = await Promise.all([listDestinations(workspaceId), sourceNames(workspaceId)]);
  return stored.map((each) => destinationOf(each, names));
}

export async function readDestination(workspaceId: WorkspaceId, id: string): Promise<Destination | null> {
  const [stored, names] = await Promise.all([findDestination(workspaceId, id), sourceNames(workspaceId)]);
  return stored && destinationOf(stored, names);
}

export async function getDestination(workspaceId: WorkspaceId, id: string): Promise<Destination> {
  const found = await readDestination(workspaceId, id);
  if (!found) throw new AppError("not_found", "There is no destination with that ID.");
  return found;
}

const sourceNames = async (workspaceId: WorkspaceId) => new Map((await listSources(workspaceId)).map(({ id, name }) => [id, name]));

export const shownDestination = (actor: Actor, destination: Destination): Destination =>
  mayDo(actor, "destinations.manage") ? destination : { ...destination, url: maskedUrl(destination.url) };

function destinationOf(stored: StoredDestination, names: Map<string, string>): Destination {
  const { id, name, url, types, filter, mode, ordered, rate, concurrency, state, stateBy, createdBy, pending, exhausted, p95Ms } = stored;
  return {
    ...{ id, name, url, types, filter, mode, ordered, rate, concurrency, state, stateBy, createdBy, pending, exhausted, p95Ms },
    sources: stored.sourceIds.flatMap((sourceId) => names.get(sourceId) ?? []),
    reason: stored.stateReason,
    stateAt: stored.stateAt.toISOString(),
    nextProbeAt: stored.probeAt?.toISOString() ?? null,
    oldestPendingAt: stored.oldestPendingAt?.toISOString() ?? null,
    lastDay: { delivered: stored.dayDelivered, failed: stored.dayFailed },
    lastSuccessAt: stored.lastSuccessAt?.toISOString() ?? null,
    lastFailure: lastFailureOf(stored),
    secrets: stored.secrets.map((secret) => ({
      id: secret.id,
      createdAt: new Date(secret.createdAt).toISOString(),
      validUntil: secret.validUntil && new Date(secret.validUntil).toISOString(),
    })),
    createdAt: stored.createdAt.toISOString(),
  };
}

function lastFailureOf({ lastFailureAt, lastFailureCode, lastFailureText }: StoredDestination): Destination["lastFailure"] {
  const outcome = attemptOutcome.safeParse(lastFailureCode).data;
  if (!lastFailureAt || !outcome) return null;
  return { at: lastFailureAt.toISOString(), outcome, detail: lastFailureText ?? "", fix: fixOf(outcome) };
}
