import { setTimeout as sleep } from "node:timers/promises";
import { type NewestCommits, readNewestCommits } from "#lib/events/log/newest-store";

/** Receivers are at their limit when webhooks wait for one another's commit: so many share one, on average. */
const SHARE_A_COMMIT = 4;
/** Fewer in a second say nothing. */
const ENOUGH = 32;
/** Pause before the next check, in milliseconds. */
const REST_MS = 100;
/** It rests no longer than this at once, in milliseconds: a stop must not wait for the end of a burst. */
const MAX_REST_MS = 1000;
/** A burst has all of the machine until work has rested for so long. Milliseconds. */
const ALLOWANCE_MS = 10_000;
/** Events that arrive sooner after a burst belong to it. Milliseconds. */
const CALM_MS = 10_000;

type Options = { readNewest?: () => Promise<NewestCommits>; rest?: (ms: number) => Promise<unknown>; now?: () => number };

/**
 * Lets receivers go first: while they are at their limit, what follows an event
 * (views, search) rests, and a burst is acknowledged as fast as the machine can.
 * A load that lasts is followed as it comes: nothing falls behind for ever. Each
 * loop has one of its own; it knows nothing of other processes but what the
 * database shows.
 */
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

  /**
   * Call it before each further round of work.
   *
   * @returns whether it is time for one; false while a burst still has the machine: then ask again
   */
  async waitForReceivers(): Promise<boolean> {
    const since = this.now();
    while ((await this.isAtLimit()) && this.allowance > 0) {
      if (this.now() - since >= MAX_REST_MS) return false;
      await this.rest(REST_MS);
      this.allowance -= REST_MS;
    }
    return true;
  }

  /** Webhooks have been stored since the last look, and so many at once that they waited for one another. */
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

/**
 * Work that lets receivers go first before each further round; the first after a rest begins at once.
 *
 * @param work one round; returns whether more may wait
 */
export function afterReceivers(work: () => Promise<boolean>, receivers = new ReceiveFirst()): () => Promise<boolean> {
  let more = false;
  return async () => {
    if (more && !(await receivers.waitForReceivers())) return true;
    more = await work();
    return more;
  };
}
