import { setTimeout as sleep } from "node:timers/promises";
import { isReceiverStoring } from "#lib/processing/receiver-activity-store";

/** A receiver that stores webhooks at each of so many looks, so many milliseconds apart, is at its limit. */
const LOOKS = 4;
const BETWEEN_LOOKS_MS = 5;
/** How long to rest before the next looks, in milliseconds. */
const REST_MS = 100;
/** Between two rounds of work it rests no longer than this, in milliseconds: a stop must not wait for the end of a burst. */
const MOST_REST_MS = 1000;
/** A burst has nearly all of the machine for so long; then work goes on half of the time. Milliseconds. */
const BURST_MS = 10_000;
/** Bursts with less than this between them are one. Milliseconds. */
const CALM_MS = 2000;

type Options = { isStoring?: () => Promise<boolean>; rest?: (ms: number) => Promise<unknown>; now?: () => number };

/**
 * Lets receivers go first: while they are at their limit, what follows an event
 * (views, search) rests, and a burst is acknowledged as fast as the machine can.
 * A burst that lasts is followed at half the speed, so that nothing falls behind
 * for ever. Each loop has one of its own; it knows nothing of other processes
 * but what the database shows.
 */
export class ReceiveFirst {
  private readonly isStoring: () => Promise<boolean>;
  private readonly rest: (ms: number) => Promise<unknown>;
  private readonly now: () => number;
  private burstSince = 0;
  private busyAt = Number.NEGATIVE_INFINITY;
  private workedSince = 0;

  constructor({ isStoring = isReceiverStoring, rest = sleep, now = () => performance.now() }: Options = {}) {
    this.isStoring = isStoring;
    this.rest = rest;
    this.now = now;
  }

  /** Returns when there is something to be done with the machine but to receive. Call it before each further round of work. */
  async waitForReceivers(): Promise<void> {
    const since = this.now();
    const worked = since - this.workedSince;
    while (await this.isAtLimit()) {
      const now = this.now();
      if (now - this.busyAt > CALM_MS) this.burstSince = now;
      this.busyAt = now;
      const most = now - this.burstSince > BURST_MS ? Math.min(worked, MOST_REST_MS) : MOST_REST_MS;
      if (now - since >= most) break;
      await this.rest(REST_MS);
    }
    this.workedSince = this.now();
  }

  private async isAtLimit(): Promise<boolean> {
    for (let look = 0; look < LOOKS; look += 1) {
      if (look > 0) await this.rest(BETWEEN_LOOKS_MS);
      // A database that does not answer is for the work to report.
      if (!(await this.isStoring().catch(() => false))) return false;
    }
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
    if (more) await receivers.waitForReceivers();
    more = await work();
    return more;
  };
}
