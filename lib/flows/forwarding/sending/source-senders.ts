import { pool } from "#lib/db/pool";
import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";
import type { SourceSender } from "#lib/platform/schemes/passed-headers";
import { listSenders } from "#lib/sources/source-store";

/** Time for which a read value is used, so that a change of how a source signs takes effect. Milliseconds. */
const FRESH_MS = 2000;

/** Schemes of the sources of a workspace, by their IDs. */
export type Senders = ReadonlyMap<string, SourceSender>;
const NONE: Senders = new Map();

/** The sources of one destination's workspace, kept for a short time. */
export class SourceSenders {
  private read: { senders: Senders; at: number } | null = null;

  /** The destination may have changed: its sources are read again before the next request. */
  forget(): void {
    this.read = null;
  }

  /** @returns none in signed mode, which needs none */
  async sendersFor({ mode, workspaceId }: LeasedDestination): Promise<Senders> {
    if (mode === "signed") return NONE;
    const at = performance.now();
    if (this.read && at - this.read.at < FRESH_MS) return this.read.senders;
    const senders = await listSenders(workspaceId, pool("forwarding"));
    this.read = { senders, at };
    return senders;
  }
}
