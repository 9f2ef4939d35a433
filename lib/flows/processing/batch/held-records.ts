import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { planDelivery } from "#lib/flows/processing/plan-delivery";
import type { SourceReadings } from "#lib/platform/reading/source-reading";
import type { Claimed } from "#lib/processing/inbox-store";
import { findHeldViews, type ViewKey, viewKeyText } from "#lib/views/view-store";

export type LockWaits = {
  batchMs: number;
  /** For a batch after one that met a lock: records of other clients are left out, and workers hold theirs for the length of a batch. */
  carefulMs: number;
  aloneMs: number;
  /** Until an event is tried again whose record was locked. */
  againMs: number;
};

export const LOCK_WAITS: LockWaits = { batchMs: 2000, carefulMs: 10_000, aloneMs: 500, againMs: 5000 };

/** A workspace in which a lock was met is handled with care for this long. */
const CAREFUL_MS = 30_000;

/** Workspaces in which this process met a lock of late: their batches leave out events with locked records, so that only these wait. */
export class MetLocks {
  private readonly until = new Map<WorkspaceId, number>();

  note(workspaceIds: WorkspaceId[]): void {
    for (const workspaceId of workspaceIds) this.until.set(workspaceId, performance.now() + CAREFUL_MS);
  }

  amongst(workspaceIds: WorkspaceId[]): boolean {
    return workspaceIds.some((workspaceId) => (this.until.get(workspaceId) ?? 0) > performance.now());
  }
}

/** Returns the events that touch a record which another client has held for longer than a batch waits. @throws ViewsLocked */
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
