import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { planDelivery } from "#lib/flows/processing/plan-delivery";
import type { SourceReadings } from "#lib/platform/reading/source-reading";
import type { Claimed } from "#lib/processing/inbox-store";
import { findHeldViews, type ViewKey, viewKeyText } from "#lib/views/view-store";

/** Time to wait for locks that others hold, while events are applied. Milliseconds. */
export type LockWaits = {
  /** A batch, for each lock. */
  batchMs: number;
  /** A batch after one that met a lock: what other clients hold is left out, and workers hold records for the length of a batch. */
  carefulMs: number;
  /** An event that is tried alone. */
  aloneMs: number;
  /** Until an event is tried again whose record was locked. */
  againMs: number;
};

export const LOCK_WAITS: LockWaits = { batchMs: 2000, carefulMs: 10_000, aloneMs: 500, againMs: 5000 };

/** A workspace in which a lock was met is served with care for so long. Milliseconds. */
const CAREFUL_MS = 30_000;

/**
 * The workspaces in which a batch met a lock of late. Their batches leave the events for later whose records are held,
 * so that only these wait. Known to one process alone.
 */
export class MetLocks {
  private readonly until = new Map<WorkspaceId, number>();

  note(workspaceIds: WorkspaceId[]): void {
    for (const workspaceId of workspaceIds) this.until.set(workspaceId, performance.now() + CAREFUL_MS);
  }

  amongst(workspaceIds: WorkspaceId[]): boolean {
    return workspaceIds.some((workspaceId) => (this.until.get(workspaceId) ?? 0) > performance.now());
  }
}

/**
 * The events of a batch that touch a record which another client has had for longer than a batch waits.
 *
 * @throws ViewsLocked
 */
export async function findHeldEvents(
  client: pg.PoolClient,
  events: Claimed[],
  readings: SourceReadings,
  { batchMs, carefulMs }: LockWaits,
): Promise<Set<Claimed>> {
  const touched = events.map((claimed) => ({ claimed, keys: keysOf(claimed, readings) }));
  const keys = new Map(touched.flatMap((each) => each.keys).map((key) => [viewKeyText(key), key]));
  const held = await findHeldViews(client, [...keys.values()], { others: batchMs, ours: carefulMs });
  return new Set(touched.filter((each) => each.keys.some((key) => held.has(viewKeyText(key)))).map(({ claimed }) => claimed));
}

function keysOf(claimed: Claimed, readings: SourceReadings): ViewKey[] {
  const { plan } = planDelivery(claimed, readings);
  const { workspaceId } = claimed;
  return plan.outcome === "touches" ? plan.touches.map(({ kind, id }) => ({ workspaceId, kind, id })) : [];
}
