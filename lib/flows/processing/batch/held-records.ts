import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { planDelivery } from "#lib/flows/processing/plan-delivery";
import type { SourceReadings } from "#lib/platform/reading/source-reading";
import type { Claimed } from "#lib/processing/inbox-store";
import { lockFreeViews, type ViewKey, viewKeyText } from "#lib/views/view-store";

/** How long who applies events waits for locks that others hold. Milliseconds. */
export type LockWaits = {
  /** A batch, for each lock: other workers hold records for the length of a batch. */
  batchMs: number;
  /** An event that is tried alone. */
  aloneMs: number;
  /** Until an event is tried again whose record was locked. */
  againMs: number;
};

export const LOCK_WAITS: LockWaits = { batchMs: 2000, aloneMs: 500, againMs: 5000 };

/** A workspace in which a lock was met is served with care for so long. Milliseconds. */
const CAREFUL_MS = 30_000;

/**
 * The workspaces in which a batch met a lock of late. Their batches lock the records that are free and leave the
 * events of the others for later, so that only these wait. Known to one process alone.
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
 * Locks the records of a batch that are free.
 *
 * @returns the events that touch others: whoever holds these may do so for long
 * @throws ViewsLocked
 */
export async function findHeldEvents(client: pg.PoolClient, events: Claimed[], readings: SourceReadings): Promise<Set<Claimed>> {
  const touched = events.map((claimed) => ({ claimed, keys: keysOf(claimed, readings) }));
  const keys = new Map(touched.flatMap((each) => each.keys).map((key) => [viewKeyText(key), key]));
  const held = await lockFreeViews(client, [...keys.values()]);
  return new Set(touched.filter((each) => each.keys.some((key) => held.has(viewKeyText(key)))).map(({ claimed }) => claimed));
}

function keysOf(claimed: Claimed, readings: SourceReadings): ViewKey[] {
  const { plan } = planDelivery(claimed, readings);
  const { workspaceId } = claimed;
  return plan.outcome === "touches" ? plan.touches.map(({ kind, id }) => ({ workspaceId, kind, id })) : [];
}
