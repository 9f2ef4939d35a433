import type pg from "pg";
import { notifySoon } from "#lib/db/notifications";
import { unavailabilityOf } from "#lib/db/unavailable";
import { codeOf } from "#lib/observability/logger";
import type { Metrics } from "#lib/observability/metrics";
import type { Clock } from "#lib/time/clock";
import { appendEvents, keepConflicts } from "./log-store.ts";
import { holdForPause, insertQuarantine, type NewQuarantinedRequest } from "./quarantine-insert-store.ts";
import type { NewEvent, Receipt } from "./receipt.ts";

const MIB = 1_048_576;
/** A larger body has a queue of its own, so that nothing small waits behind it. */
const LARGE_BYTES = 8 * MIB;
/** With the query's own time-out of 2.5 s the answer comes within the 5 s that the contract promises. */
const COMMIT_TIMEOUT_MS = 3500;
/** A second more for every 4 MiB of a large body (docs/decisions/0090). */
const timeoutMs = (bytes: number) => COMMIT_TIMEOUT_MS + 1000 * Math.ceil(Math.max(0, bytes - LARGE_BYTES) / (4 * MIB));

const ENTRY_OVERHEAD_BYTES = 1024;

/** SQLSTATE classes that one item's content may cause: data exception, program limit exceeded. */
const isItemsFault = (error: unknown) => /^(22|54)/.test(codeOf(error));

type Dependencies = {
  pool: pg.Pool;
  /** For large items: its statements may last longer. */
  largePool: pg.Pool;
  clock: Clock;
  metrics: Pick<Metrics, "commitSeconds" | "commitGroup">;
  health: CommitHealth;
};

async function storeGroup({ clock, metrics, health }: Dependencies, pool: pg.Pool, events: NewEvent[]): Promise<Receipt[]> {
  const since = clock.elapsed();
  try {
    const receipts = await appendEvents(pool, events);
    health.noteCommitted();
    metrics.commitSeconds.observe((clock.elapsed() - since) / 1000);
    metrics.commitGroup.observe(events.length);
    for (const workspaceId of new Set(events.map((event) => event.workspaceId))) notifySoon(pool, "appended", workspaceId);
    return receipts.map((receipt) => ({ ...receipt, groupSize: events.length }));
  } catch (error) {
    if (!isItemsFault(error)) health.noteNotCommitted(error);
    throw error;
  }
}

/** Two queues of one kind: large items are committed alone, on their own connection. */
class Lanes<Item, Result> {
  private readonly small: GroupCommit<Item, Result>;
  private readonly large: GroupCommit<Item, Result>;

  constructor(
    { pool, largePool }: Pick<Dependencies, "pool" | "largePool">,
    limits: { maxItems: number; maxBytes: number; maxWaitingBytes: number },
    flush: (pool: pg.Pool, items: Item[]) => Promise<Result[]>,
  ) {
    const shared = { timeoutMs, isItemsFault };
    this.small = new GroupCommit({ ...limits, ...shared, flush: (items) => flush(pool, items) });
    this.large = new GroupCommit({ ...limits, ...shared, maxItems: 1, flush: (items) => flush(largePool, items) });
  }

  submit(item: Item, bytes: number): Promise<Result> {
    return (bytes > LARGE_BYTES ? this.large : this.small).submit(item, bytes);
  }
}

export class ReceiverLog {
  private readonly events: Lanes<NewEvent, Receipt>;
  private readonly together: Lanes<NewEvent[], Receipt[]>;
  private readonly quarantined: Lanes<NewQuarantinedRequest, string>;
  private readonly held: Lanes<NewQuarantinedRequest, string | null>;
  private readonly pool: pg.Pool;

  constructor(dependencies: Dependencies) {
    this.pool = dependencies.pool;
    const store = (pool: pg.Pool, events: NewEvent[]) => storeGroup(dependencies, pool, events);
    this.events = new Lanes(dependencies, { maxItems: 256, maxBytes: 8 * MIB, maxWaitingBytes: 64 * MIB }, store);
    // The events of one request are one commit: all of them, or none.
    this.together = new Lanes(dependencies, { maxItems: 1, maxBytes: 8 * MIB, maxWaitingBytes: 16 * MIB }, async (pool, [events = []]) => [
      await store(pool, events),
    ]);
    const apart = { maxItems: 64, maxBytes: 4 * MIB, maxWaitingBytes: 16 * MIB };
    this.quarantined = new Lanes(dependencies, apart, insertQuarantine);
    this.held = new Lanes(dependencies, apart, holdForPause);
  }

  /** Resolves when the event is on disk. @throws NotCommitted, QueueFull */
  append(event: NewEvent): Promise<Receipt> {
    return this.events.submit(event, weightOf(event));
  }

  /** Resolves when all events of one request are on disk; after an error none is. @throws NotCommitted, QueueFull */
  appendTogether(events: NewEvent[]): Promise<Receipt[]> {
    return this.together.submit(
      events,
      events.reduce((sum, event) => sum + weightOf(event), 0),
    );
  }

  keepConflicts(events: NewEvent[], withBodies: boolean): Promise<void> {
    return keepConflicts(this.pool, events, withBodies);
  }

  /** Resolves with the entry's ID when it is on disk. @throws NotCommitted, QueueFull */
  quarantine(entry: NewQuarantinedRequest): Promise<string> {
    return this.quarantined.submit(entry, weightOf(entry));
  }

  /** Resolves with null when the source is not paused any more. @throws NotCommitted, QueueFull */
  hold(entry: NewQuarantinedRequest): Promise<string | null> {
    return this.held.submit(entry, weightOf(entry));
  }
}

/** Returns the bytes of memory that an entry takes, with overhead: small bodies must not make the queue endless. */
function weightOf({ body, receivedBody, headers }: Pick<NewEvent, "body" | "headers"> & Partial<Pick<NewEvent, "receivedBody">>): number {
  let weight = ENTRY_OVERHEAD_BYTES + body.length + (receivedBody?.length ?? 0);
  for (const name in headers) weight += name.length + (headers[name]?.length ?? 0);
  return weight;
}

/** Nothing of the item is kept, or it is unknown whether it is: the sender tries again. */
class NotCommitted extends Error {
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

/** `why` is shown to operators; `unreached`: it did not get as far as the database. */
type CommitState = { ok: true } | { ok: false; why: string; unreached: boolean };

/** A failure counts for this long unless a commit succeeds: without traffic nothing would ever clear it. Milliseconds. */
const REMEMBERED_MS = 30_000;

type Failure = { why: string; unreached: boolean };

export class CommitHealth {
  private readonly clock: Pick<Clock, "elapsed">;
  private failure: (Failure & { at: number }) | undefined;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.clock = clock;
  }

  noteCommitted(): void {
    this.failure = undefined;
  }

  /** Its own connections reach the database again. That does not fix a full disk or a slow one. */
  noteReached(): void {
    if (this.failure?.unreached) this.failure = undefined;
  }

  noteNotCommitted(error: unknown): void {
    this.failure = { at: this.clock.elapsed(), ...failureOf(error) };
  }

  state(): CommitState {
    if (!this.failure || this.clock.elapsed() - this.failure.at >= REMEMBERED_MS) return { ok: true };
    const { why, unreached } = this.failure;
    return { ok: false, why, unreached };
  }
}

function failureOf(error: unknown): Failure {
  const { code, message } = unavailabilityOf(error) ?? { code: "", message: (error as Error).message ?? "" };
  if (code === "53100") return { why: "the database's disk is full", unreached: false };
  if (code === "25006") return { why: "the database is read-only", unreached: false };
  if (code.startsWith("53") || /trying to connect/.test(message)) return { why: "no database connection is available", unreached: true };
  if (code === "57014" || (code === "" && /timeout/.test(message))) return { why: "the database is too slow", unreached: false };
  return { why: "the database does not respond", unreached: true };
}
