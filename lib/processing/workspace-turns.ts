import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { DueWorkspace } from "./backlog-store.ts";

/** Most events of a batch of one workspace, and of the first batch: its speed is not known yet. */
const MAX_BATCH = 1000;
const FIRST = 32;
/** Workspaces with fewer due events than this share a batch. */
export const FEW = 32;

const SLOW_MS = 1000;
/** A batch that takes less grows: twice as many events may take four times as long. */
const SHORT_ENOUGH_MS = 400;
const QUICK_MS = 250;
/** A smaller batch that is too slow to grow is kept apart, where it may take longer and so grow. */
const SMALL = 128;
/** Bounds between which a slow workspace's batches are kept, in milliseconds. */
const TOO_LONG_MS = 10_000;
const SHORT_MS = 5000;

export type Turn = { workspaceIds: WorkspaceId[]; limit: number; share: number };

/** Serves the workspace that has waited longest. Slow ones are apart until they are quick again. Known to one process alone. */
export class WorkspaceTurns {
  private readonly slow = new Set<WorkspaceId>();
  private readonly limits = new Map<WorkspaceId, number>();
  private readonly served = new Map<WorkspaceId, number>();
  private turns = 0;
  private due: DueWorkspace[] = [];

  get hasSlow(): boolean {
    return this.slow.size > 0;
  }

  /** Replaces the waiting workspaces. One that no longer waits is forgotten. */
  update(due: DueWorkspace[]): void {
    this.due = due;
    const waiting = new Set(due.map(({ workspaceId }) => workspaceId));
    for (const known of [this.slow, this.limits, this.served])
      for (const workspaceId of known.keys()) if (!waiting.has(workspaceId)) known.delete(workspaceId);
  }

  next(lane: "prompt" | "slow"): Turn | null {
    const waiting = this.due
      .filter(({ workspaceId }) => this.slow.has(workspaceId) === (lane === "slow"))
      .sort((a, b) => this.lastTurn(a) - this.lastTurn(b));
    const [first] = waiting;
    if (!first) return null;
    const few = lane === "prompt" && first.waiting < FEW ? waiting.filter((each) => each.waiting < FEW) : [];
    const workspaceIds = (few.length > 0 ? few.slice(0, MAX_BATCH) : [first]).map(({ workspaceId }) => workspaceId);
    const limit = few.length > 0 ? MAX_BATCH : (this.limits.get(first.workspaceId) ?? FIRST);
    this.turns += 1;
    for (const workspaceId of workspaceIds) this.served.set(workspaceId, this.turns);
    return { workspaceIds, limit, share: few.length > 0 ? FEW : limit };
  }

  private readonly lastTurn = ({ workspaceId }: DueWorkspace) => this.served.get(workspaceId) ?? 0;

  skip(workspaceIds: WorkspaceId[]): void {
    this.due = this.due.filter(({ workspaceId }) => !workspaceIds.includes(workspaceId));
  }

  took({ workspaceIds, limit }: Turn, ms: number): void {
    for (const workspaceId of workspaceIds) {
      const stuck = workspaceIds.length === 1 && limit < SMALL && ms >= SHORT_ENOUGH_MS;
      if (ms > SLOW_MS || stuck) this.slow.add(workspaceId);
      else if (ms < QUICK_MS) this.slow.delete(workspaceId);
      const before = workspaceIds.length > 1 ? (this.limits.get(workspaceId) ?? FIRST) : limit;
      if (ms > TOO_LONG_MS) this.limits.set(workspaceId, Math.max(1, Math.floor(before / 2)));
      else if (ms < (this.slow.has(workspaceId) ? SHORT_MS : SHORT_ENOUGH_MS))
        this.limits.set(workspaceId, Math.min(MAX_BATCH, before * 2));
    }
  }

  /** Has the rest of a failed turn's workspaces served apart; the failed claim is tried alone. */
  failed({ workspaceIds }: Turn): void {
    for (const workspaceId of workspaceIds) {
      this.slow.add(workspaceId);
      this.limits.set(workspaceId, FIRST);
    }
  }
}
