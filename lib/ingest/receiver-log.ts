import type pg from "pg";
import type { Clock } from "#lib/context/clock";
import { codeOf } from "#lib/context/error-code";
import { notifySoon } from "#lib/db/notify/notify";
import type { Metrics } from "#lib/observability/metrics";
import type { CommitHealth } from "./commit-health.ts";
import { GroupCommit } from "./group-commit.ts";
import { appendEvents } from "./log-store.ts";
import { insertQuarantine, type NewQuarantinedRequest } from "./quarantine-insert-store.ts";
import type { NewEvent, Receipt } from "./receipt.ts";

const MIB = 1_048_576;
/** With the query's own time-out of 2.5 s the answer comes within the 5 s that the contract promises. */
const COMMIT_TIMEOUT_MS = 3500;

const ENTRY_OVERHEAD_BYTES = 1024;

/** SQLSTATE classes that one item's content may cause: data exception, program limit exceeded. */
const isItemsFault = (error: unknown) => /^(22|54)/.test(codeOf(error));

type Dependencies = { pool: pg.Pool; clock: Clock; metrics: Pick<Metrics, "commitSeconds" | "commitGroup">; health: CommitHealth };

/** Stores a group in one commit, and notes how long that took and whether it worked. */
async function storeGroup({ pool, clock, metrics, health }: Dependencies, events: NewEvent[]): Promise<Receipt[]> {
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

/** The receiver's way into the log and into quarantine: concurrent callers share commits. */
export class ReceiverLog {
  private readonly events: GroupCommit<NewEvent, Receipt>;
  private readonly together: GroupCommit<NewEvent[], Receipt[]>;
  private readonly quarantined: GroupCommit<NewQuarantinedRequest, string>;

  constructor(dependencies: Dependencies) {
    this.events = new GroupCommit({
      maxItems: 256,
      maxBytes: 8 * MIB,
      maxWaitingBytes: 64 * MIB,
      timeoutMs: COMMIT_TIMEOUT_MS,
      isItemsFault,
      flush: (events) => storeGroup(dependencies, events),
    });
    this.together = new GroupCommit({
      maxItems: 1, // the events of one request are one commit: all of them, or none
      maxBytes: 8 * MIB,
      maxWaitingBytes: 16 * MIB,
      timeoutMs: COMMIT_TIMEOUT_MS,
      isItemsFault,
      flush: async ([events = []]) => [await storeGroup(dependencies, events)],
    });
    this.quarantined = new GroupCommit({
      maxItems: 64,
      maxBytes: 4 * MIB,
      maxWaitingBytes: 16 * MIB,
      timeoutMs: COMMIT_TIMEOUT_MS,
      isItemsFault,
      flush: (entries) => insertQuarantine(dependencies.pool, entries),
    });
  }

  /** Resolves when the event is on disk. @throws NotCommitted, QueueFull */
  append(event: NewEvent): Promise<Receipt> {
    return this.events.submit(event, weightOf(event));
  }

  /** Resolves when all events of one request are on disk; in case of an error none is. @throws NotCommitted, QueueFull */
  appendTogether(events: NewEvent[]): Promise<Receipt[]> {
    return this.together.submit(
      events,
      events.reduce((sum, event) => sum + weightOf(event), 0),
    );
  }

  /** Resolves with the entry's id when it is on disk. @throws NotCommitted */
  quarantine(entry: NewQuarantinedRequest): Promise<string> {
    return this.quarantined.submit(entry, weightOf(entry));
  }
}

/** What an entry takes of memory while it waits, in bytes: small bodies must not make the queue endless. */
function weightOf({ body, headers }: { body: Uint8Array; headers: Record<string, string> }): number {
  let weight = ENTRY_OVERHEAD_BYTES + body.length;
  for (const name in headers) weight += name.length + (headers[name]?.length ?? 0);
  return weight;
}
