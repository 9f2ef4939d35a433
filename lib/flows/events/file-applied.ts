import { inTransactionByKey, pool } from "#lib/db/pool";
import { type FiledEvent, fileEvents } from "#lib/events/search/index-store";
import { termsOf } from "#lib/events/search/terms";
import { logger } from "#lib/observability/logger";
import type { Claimed } from "#lib/processing/inbox-store";
import { inTime } from "#lib/time/in-time";

/** Beyond so many characters of terms, the rest of a batch is left to the index loop. */
const MAX_CHARACTERS = 4_194_304;
/** Applying waits this long for the batch before; after that, this one is left to the index loop. */
const MAX_WAIT_MS = 1000;

/** Search terms of a batch, gathered while its payloads are in memory. */
class BatchTerms {
  readonly events: FiledEvent[] = [];
  private characters = 0;

  add({ workspaceId, receivedAt, seq, eventId, type }: Claimed, data: Record<string, unknown>): void {
    if (this.characters > MAX_CHARACTERS) return;
    const terms = termsOf({ workspaceId, eventId, type, data });
    for (const term of terms) this.characters += term.length;
    this.events.push({ workspaceId, receivedAt, seq, terms });
  }
}

/** Indexes applied events for search without reading their bodies again, in a transaction of its own, alongside the next batch.
 * What it leaves out is indexed by position (`workSearchIndex`). */
export class AppliedFiling {
  private inProgress: Promise<void> = Promise.resolve();

  begin(): BatchTerms {
    return new BatchTerms();
  }

  /** Waits for the batch before, but not for long: one is in progress at most, and a slow index must not hold up applying. */
  async file({ events }: BatchTerms): Promise<void> {
    const ready = this.inProgress.then(() => true);
    if ((await inTime(ready, MAX_WAIT_MS, () => false)) && events.length > 0) this.inProgress = fileNow(events);
  }
}

async function fileNow(events: FiledEvent[]): Promise<void> {
  try {
    await inTransactionByKey(pool("worker"), (client) => fileEvents(client, events));
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "can't index applied events for search now; they are indexed later");
  }
}
