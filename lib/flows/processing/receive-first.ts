import { setTimeout as sleep } from "node:timers/promises";
import { type NewestCommits, readNewestCommits } from "#lib/events/log/event-body-store";

/** Events that share a commit on average when receivers are at their limit, because webhooks wait for one another's commit. */
const SHARE_A_COMMIT = 4;
/** Fewer in a second say nothing. */
const ENOUGH = 32;
const REST_MS = 100;
/** Longest rest at once: a stop must not wait for the end of a burst. */
const MAX_REST_MS = 1000;
/** A burst has all of the machine until work has rested for this long. */
const ALLOWANCE_MS = 10_000;
/** Events that arrive sooner after a burst belong to it. */
const CALM_MS = 10_000;

type Options = { readNewest?: () => Promise<NewestCommits>; rest?: (ms: number) => Promise<unknown>; now?: () => number };

/** Lets receivers go first: while they are at their limit, applying and indexing rest. A load that lasts is followed as it comes, so that
 * nothing falls behind forever. Each loop has its own, and knows of other processes only what the database shows. */
export class ReceiveFirst {
  private readonly readNewest: () => Promise<NewestCommits>;
  private readonly rest: (ms: number) => Promise<unknown>;
  private readonly now: () => number;
  private allowance = ALLOWANCE_MS;
  private atLimitAt = Number.NEGATIVE_INFINITY;
  private seenSeq: number | null = null;

  constructor({ readNewest = readNewestCommits, rest = sleep, now = () => performance.now() }: Options = {}) {
    this.readNewest = readNewest;
    this.rest = rest;
    this.now = now;
  }

  /** Returns false while a burst still has the machine: then ask again. */
  async waitForReceivers(): Promise<boolean> {
    const since = this.now();
    while ((await this.isAtLimit()) && this.allowance > 0) {
      if (this.now() - since >= MAX_REST_MS) return false;
      await this.rest(REST_MS);
      this.allowance -= REST_MS;
    }
    return true;
  }

  /** True if webhooks were stored since the last look, so many at once that they waited for one another. */
  private async isAtLimit(): Promise<boolean> {
    // A database that does not answer is for the work to report.
    const newest = await this.readNewest().catch(() => null);
    const isNew = newest !== null && newest.seq !== this.seenSeq;
    const atLimit = isNew && newest.events >= ENOUGH && newest.events >= SHARE_A_COMMIT * newest.commits;
    if (newest) this.seenSeq = newest.seq;
    if (!atLimit) return false;
    const now = this.now();
    if (now - this.atLimitAt > CALM_MS) this.allowance = ALLOWANCE_MS;
    this.atLimitAt = now;
    return true;
  }
}

/** Delays each further round for receivers; the first after a rest begins at once. @param work returns true if more may wait */
export function afterReceivers(work: () => Promise<boolean>, receivers = new ReceiveFirst()): () => Promise<boolean> {
  let more = false;
  return async () => {
    if (more && !(await receivers.waitForReceivers())) return true;
    more = await work();
    return more;
  };
}
