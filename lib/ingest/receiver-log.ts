import type pg from "pg";
import { notifySoon } from "#lib/db/notify/notify";
import { codeOf } from "#lib/observability/error-code";
import type { Metrics } from "#lib/observability/metrics";
import type { Clock } from "#lib/time/clock";
import type { CommitHealth } from "./commit-health.ts";
import { keepConflicts } from "./conflict-store.ts";
import { GroupCommit } from "./group-commit.ts";
import { appendEvents } from "./log-store.ts";
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
