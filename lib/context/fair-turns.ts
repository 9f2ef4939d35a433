export type TurnLimits = {
  atOnce: number;
  /** A key is a person, an API key or an IP address. */
  atOncePerKey: number;
  waitingPerKey: number;
  waiting: number;
  waitMs: number;
  /** While `fromWaiting` or more wait, a place rests for this share of its work's time, so that the process can do other work. */
  rest: { share: number; fromWaiting: number };
};

/** Thrown if too many wait, the wait was too long, or the caller has left. */
export class NoTurn extends Error {
  override name = "NoTurn";
}

/** Bounds the rest: most of a long turn was waiting for the database. */
const MAX_REST_MS = 500;

type Waiting = { begin: () => void };

/** Turns at a shared resource. Keys take turns, not requests: a key with many requests waits behind itself and takes only its share. */
export class FairTurns {
  private readonly limits: TurnLimits;
  /** By key, in the order of their turns. */
  private readonly queues = new Map<string, Waiting[]>();
  private readonly working = new Map<string, number>();
  private total = 0;
  private waiting = 0;

  constructor(limits: TurnLimits) {
    this.limits = limits;
  }

  /** Runs work when its turn comes; throws NoTurn. Must not be nested: the inner work would wait for the outer. */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const end = await this.begin(key, signal);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Waits for a turn and returns the function that ends it, which may be called twice. Throws NoTurn. */
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

  /** Starts the key with a free place whose last turn is longest ago. */
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
