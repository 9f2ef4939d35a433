/** Nothing of the item is kept, or it is unknown whether it is: the sender tries again. */
export class NotCommitted extends Error {
  override name = "NotCommitted";
}

/** Nothing was tried: more is waiting than there is memory for. */
export class QueueFull extends NotCommitted {
  override name = "QueueFull";
}

export type GroupCommitOptions<Item, Result> = {
  /** Writes and commits the items together. Returns one result an item, in order. */
  flush: (items: Item[]) => Promise<Result[]>;
  maxItems: number;
  /** Bytes per commit; a single larger item goes alone. */
  maxBytes: number;
  /** Back-pressure: bytes that may wait. A single larger item may wait if nothing else does. */
  maxWaitingBytes: number;
  /** Time that an item of this size may wait for its commit, in milliseconds. */
  timeoutMs: (bytes: number) => number;
  /** True for an error that one item alone may have caused: the items are then tried one by one. */
  isItemsFault: (error: unknown) => boolean;
};

type Waiting<Item, Result> = {
  item: Item;
  bytes: number;
  gaveUp: boolean;
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
};

/** Lets concurrent callers share commits: items gather while a flush is in flight, and a lone item is flushed at once. */
export class GroupCommit<Item, Result> {
  private readonly options: GroupCommitOptions<Item, Result>;
  private queue: Waiting<Item, Result>[] = [];
  private waitingBytes = 0;
  private flushing = false;

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.options = options;
  }

  /** Resolves once the item is committed. @throws QueueFull; NotCommitted when the time is up or the flush failed */
  submit(item: Item, bytes: number): Promise<Result> {
    if (this.waitingBytes > 0 && this.waitingBytes + bytes > this.options.maxWaitingBytes)
      return Promise.reject(new QueueFull("the queue is full"));
    return new Promise((resolve, reject) => {
      const waiting: Waiting<Item, Result> = { item, bytes, gaveUp: false, resolve, reject };
      const giveUp = () => {
        waiting.gaveUp = true;
        reject(new NotCommitted("the database took too long"));
      };
      // The process reads once before it gives up: it may be the one that took too long.
      const timer = setTimeout(() => setImmediate(giveUp), this.options.timeoutMs(bytes));
      waiting.resolve = (result) => {
        clearTimeout(timer);
        resolve(result);
      };
      waiting.reject = (error) => {
        clearTimeout(timer);
        reject(error);
      };
      this.waitingBytes += bytes;
      this.queue.push(waiting);
      if (!this.flushing) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.flushing = true;
    while (this.queue.length > 0) {
      const taken = this.take();
      const group = taken.filter((waiting) => !waiting.gaveUp);
      if (group.length > 0) await this.commit(group);
      for (const { bytes } of taken) this.waitingBytes -= bytes;
    }
    this.flushing = false;
  }

  private take(): Waiting<Item, Result>[] {
    let bytes = 0;
    let count = 0;
    for (const waiting of this.queue) {
      if (count > 0 && (count >= this.options.maxItems || bytes + waiting.bytes > this.options.maxBytes)) break;
      bytes += waiting.bytes;
      count += 1;
    }
    return this.queue.splice(0, count);
  }

  private async commit(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.flush(group.map(({ item }) => item));
      for (const [index, waiting] of group.entries()) {
        const result = results[index];
        if (result === undefined) waiting.reject(new NotCommitted("the flush skipped an item"));
        else waiting.resolve(result);
      }
    } catch (error) {
      if (group.length > 1 && this.options.isItemsFault(error)) {
        for (const waiting of group) await this.commit([waiting]);
        return;
      }
      const cause = new NotCommitted((error as Error).message, { cause: error });
      for (const waiting of group) waiting.reject(cause);
    }
  }
}
