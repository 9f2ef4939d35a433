import { pool } from "#lib/db/pool";
import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";
import type { SourceSender } from "#lib/platform/schemes/passed-headers";
import { listSenders } from "#lib/sources/source-store";

/** A change of how a source signs takes effect after this. */
const FRESH_MS = 2000;

export type Senders = ReadonlyMap<string, SourceSender>;
const NONE: Senders = new Map();

export class SourceSenders {
  private read: { senders: Senders; at: number } | null = null;

  /** Forces a new reading: the destination may have changed. */
  forget(): void {
    this.read = null;
  }

  async sendersFor({ mode, workspaceId }: LeasedDestination): Promise<Senders> {
    if (mode === "signed") return NONE;
    const at = performance.now();
    if (this.read && at - this.read.at < FRESH_MS) return this.read.senders;
    const senders = await listSenders(workspaceId, pool("forwarding"));
    this.read = { senders, at };
    return senders;
  }
}
