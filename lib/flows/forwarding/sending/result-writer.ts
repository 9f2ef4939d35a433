import { setTimeout as sleep } from "node:timers/promises";
import type { DeliveryResult } from "#lib/forwarding/sender/result-store";
import { logger } from "#lib/observability/logger";
import type { StateChange } from "./record-issues.ts";
import { recordResults } from "./record-results.ts";

/** Results wait so long for others to share a commit. Milliseconds. */
const GATHER_MS = 5;
const MAX_RESULTS = 200;
const FEW = 10;
const RETRY_MS = 1000;

type Waiting = { result: DeliveryResult; done: (change: StateChange | null) => void };

/**
 * Records results in groups: while one is being written the next gathers. A
 * result is kept until it is written; where the database is away that is when
 * it is back, and nothing more is sent meanwhile.
 */
export class ResultWriter {
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;

  /** @returns a promise that settles when the result is committed, with what it changed of its destination's state */
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
      // What came while the group before was being written has gathered already.
      if (this.waiting.length < FEW) await sleep(GATHER_MS);
      const group = this.waiting.slice(0, MAX_RESULTS);
      try {
        const changes = await recordResults(group.map(({ result }) => result));
        this.waiting = this.waiting.slice(group.length);
        for (const { result, done } of group) done(changes.find(({ id }) => id === result.destinationId) ?? null);
      } catch (error) {
        logger().warn({ reason: (error as Error).message }, "can't record what destinations answered; trying again");
        await sleep(RETRY_MS);
      }
    }
  }
}
