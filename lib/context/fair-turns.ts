/** Limits on the number that may work at once, and on the number that may wait. */
export type TurnLimits = {
  /** Of all together. */
  atOnce: number;
  /** Of one key: a person, an API key, an address. */
  atOncePerKey: number;
  /** Most of one key that may wait. */
  waitingPerKey: number;
  /** Most that may wait in all. */
  waiting: number;
  /** Longest wait, in milliseconds. */
  waitMs: number;
  /**
   * Time that a place stays empty after work while so many wait, as a share of the time that the work took: whatever else
   * the process does has that time.
   */
  rest: { share: number; fromWaiting: number };
};

/** No turn came: too many waited, the wait was too long, or who waited left. */
export class NoTurn extends Error {
  override name = "NoTurn";
}

/** A rest is bounded: much of a long time was waiting for the database. Milliseconds. */
const MAX_REST_MS = 500;

type Waiting = { begin: () => void };

/**
 * Turns at something that many share. Keys take turns, not requests: who asks
 * for much waits behind itself, and takes no more than its share of the places.
 */
export class FairTurns {
  private readonly limits: TurnLimits;
  /** By key, in the order in which their turns come. */
  private readonly queues = new Map<string, Waiting[]>();
  private readonly working = new Map<string, number>();
  private total = 0;
  private waiting = 0;

  constructor(limits: TurnLimits) {
    this.limits = limits;
  }

  /**
   * Does work when its turn has come. Not to be nested: the inner work would wait for the outer.
   *
   * @param signal aborted when nobody wants the work any more: it leaves the queue
   * @throws NoTurn
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const end = await this.begin(key, signal);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /**
   * Waits for a turn.
   *
   * @returns what ends the turn; calling it again does nothing
   * @throws NoTurn
   */
  async begin(key: string, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw new NoTurn("nobody waits any more");
    if (this.isFree(key)) this.take(key);
    else await this.wait(key, signal);
    const since = performance.now();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const { share, fromWaiting } = this.limits.rest;
      const restMs = this.waiting < fromWaiting ? 0 : Math.min(MAX_REST_MS, (performance.now() - since) * share);
      if (restMs < 1) this.release(key);
      else setTimeout(() => this.release(key), restMs);
    };
  }

  private isFree(key: string): boolean {
    return this.total < this.limits.atOnce && (this.working.get(key) ?? 0) < this.limits.atOncePerKey;
  }

  private take(key: string): void {
    this.working.set(key, (this.working.get(key) ?? 0) + 1);
    this.total += 1;
  }

  private wait(key: string, signal?: AbortSignal): Promise<void> {
    const queue = this.queues.get(key) ?? [];
    if (queue.length >= this.limits.waitingPerKey || this.waiting >= this.limits.waiting)
      return Promise.reject(new NoTurn("too many wait"));
    return new Promise((resolve, reject) => {
      const giveUp = (why: string) => {
        forget();
        this.leave(key, mine);
        reject(new NoTurn(why));
      };
      const left = () => giveUp("nobody waits any more");
      const timer = setTimeout(() => giveUp("the wait was too long"), this.limits.waitMs);
      signal?.addEventListener("abort", left);
      const forget = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", left);
      };
      const mine: Waiting = {
        begin: () => {
          forget();
          resolve();
        },
      };
      queue.push(mine);
      this.queues.set(key, queue);
      this.waiting += 1;
    });
  }

  private leave(key: string, one: Waiting): void {
    const queue = this.queues.get(key) ?? [];
    queue.splice(queue.indexOf(one), 1);
    if (queue.length === 0) this.queues.delete(key);
    this.waiting -= 1;
  }

  private release(key: string): void {
    const left = (this.working.get(key) ?? 1) - 1;
    if (left === 0) this.working.delete(key);
    else this.working.set(key, left);
    this.total -= 1;
    this.beginNext();
  }

  /** Of the keys that have a place of their own left, the one whose last turn is the longest ago. */
  private beginNext(): void {
    for (const [key, queue] of this.queues) {
      const [first] = queue;
      if (!first || !this.isFree(key)) continue;
      this.leave(key, first);
      if (queue.length > 0) {
        this.queues.delete(key);
        this.queues.set(key, queue);
      }
      this.take(key);
      first.begin();
      return;
    }
  }
}
