import { setTimeout as sleep } from "node:timers/promises";
import { isLockBusy } from "#lib/db/retry-while-busy";
import type { DeliveryResult } from "#lib/forwarding/sender/result-store";
import { logger } from "#lib/observability/logger";
import { systemClock } from "#lib/time/clock";
import type { StateChange } from "./record-issues.ts";
import { recordResults } from "./record-results.ts";

/** Time that results wait for others to share a commit. */
const GATHER_MS = 5;
const MAX_RESULTS = 200;
const FEW = 10;
const RETRY_MS = 1000;
/** Wait for a lock; shorter for a destination that is known to be locked. */
const LOCK_MS = 1000;
const LOCKED_MS = 100;

type Waiting = { result: DeliveryResult; done: (change: StateChange | null) => void };

/** Records results in groups: while one is written, the next gathers. A result is kept until it is written, and nothing more is sent while
 * the database is unavailable. Destinations share a commit, but those with a locked row wait alone. */
export class ResultWriter {
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;
  /** Destinations whose rows are locked, and when each is tried again (performance.now). */
  private readonly locked = new Map<string, number>();

  /** Resolves when the result is committed, with what it changed of its destination's state. */
  write(result: DeliveryResult): Promise<StateChange | null> {
    return new Promise((done) => {
      this.waiting.push({ result, done });
      this.writing ??= this.drain().finally(() => {
        this.writing = null;
      });
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      // Results that arrived while the group before was written have gathered already.
      if (this.waiting.length < FEW) await sleep(GATHER_MS);
      const free = this.waiting.filter(({ result }) => !this.locked.has(result.destinationId));
      if (free.length > 0) await this.record(free.slice(0, MAX_RESULTS), LOCK_MS);
      for (const [id, at] of this.locked) {
        if (at > performance.now()) continue;
        await this.record(this.waiting.filter(({ result }) => result.destinationId === id).slice(0, MAX_RESULTS), LOCKED_MS);
      }
      if (free.length === 0) await sleep(LOCKED_MS);
    }
  }

  private async record(group: Waiting[], lockMs: number): Promise<void> {
    const ids = new Set(group.map(({ result }) => result.destinationId));
    try {
      const changes = await recordResults(
        group.map(({ result }) => result),
        lockMs,
        new Date(systemClock.now()),
      );
      this.waiting = this.waiting.filter((each) => !group.includes(each));
      for (const id of ids) this.locked.delete(id);
      for (const { result, done } of group) done(changes.find(({ id }) => id === result.destinationId) ?? null);
    } catch (error) {
      logger().warn({ reason: (error as Error).message }, "can't record what destinations answered; trying again");
      // Which of several is locked shows when each is tried alone, at once.
      const at = ids.size > 1 ? 0 : performance.now() + RETRY_MS;
      if (isLockBusy(error)) for (const id of ids) this.locked.set(id, at);
      else await sleep(RETRY_MS);
    }
  }
}
