import { notifySoon } from "#lib/db/notify";
import { pool } from "#lib/db/pool";
import { metrics } from "#lib/observability/metrics";
import { noteCommitted, noteNotCommitted } from "./commit-health.ts";
import { GroupCommit } from "./group-commit.ts";
import { appendEvents } from "./log-store.ts";
import { insertQuarantine, type NewQuarantineEntry } from "./quarantine-store.ts";
import type { NewEvent, Receipt } from "./receipt.ts";

const MIB = 1_048_576;
/** With the query's own time-out of 2.5 s the answer comes within the 5 s that the contract promises. */
const PATIENCE_MS = 3500;

const ENTRY_OVERHEAD_BYTES = 1024;

/** SQLSTATE classes that one item's content may cause: data exception, program limit exceeded. */
const isItemsFault = (error: unknown) => /^(22|54)/.test(String((error as { code?: unknown }).code));

/** Stores a group in one commit, and notes how long that took and whether it worked. */
async function storeGroup(events: NewEvent[]): Promise<Receipt[]> {
  const since = performance.now();
  try {
    const receipts = await appendEvents(pool("receiver"), events);
    noteCommitted();
    metrics().commitSeconds.observe((performance.now() - since) / 1000);
    metrics().commitGroup.observe(events.length);
    for (const workspaceId of new Set(events.map((event) => event.workspaceId))) notifySoon(pool("receiver"), "appended", workspaceId);
    return receipts;
  } catch (error) {
    if (!isItemsFault(error)) noteNotCommitted(error);
    throw error;
  }
}

/** The receiver's way into the log and into quarantine: concurrent callers share commits. */
export class ReceiverLog {
  private readonly events = new GroupCommit<NewEvent, Receipt>({
    maxItems: 256,
    maxBytes: 8 * MIB,
    maxWaitingBytes: 64 * MIB,
    patienceMs: PATIENCE_MS,
    isItemsFault,
    flush: storeGroup,
  });

  private readonly refused = new GroupCommit<NewQuarantineEntry, string>({
    maxItems: 64,
    maxBytes: 4 * MIB,
    maxWaitingBytes: 16 * MIB,
    patienceMs: PATIENCE_MS,
    isItemsFault,
    flush: (entries) => insertQuarantine(pool("receiver"), entries),
  });

  /** Resolves when the event is on disk. @throws NotCommitted, QueueFull */
  append(event: NewEvent): Promise<Receipt> {
    return this.events.submit(event, weightOf(event));
  }

  /** Resolves with the entry's id when it is on disk. @throws NotCommitted */
  quarantine(entry: NewQuarantineEntry): Promise<string> {
    return this.refused.submit(entry, weightOf(entry));
  }
}

/** What an entry takes of memory while it waits, in bytes: small bodies must not make the queue endless. */
function weightOf({ body, headers }: { body: Uint8Array; headers: Record<string, string> }): number {
  let weight = ENTRY_OVERHEAD_BYTES + body.length;
  for (const name in headers) weight += name.length + (headers[name]?.length ?? 0);
  return weight;
}
