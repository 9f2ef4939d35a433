import { inTransactionByKey, pool } from "#lib/db/pool";
import { type FiledEvent, fileEvents } from "#lib/events/search/index-store";
import { termsOf } from "#lib/events/search/terms";
import { logger } from "#lib/observability/logger";
import type { Claimed } from "#lib/processing/inbox-store";
import { inTime } from "#lib/time/in-time";

/** The terms of a batch are held until it is filed: beyond so many characters the rest is left to be read again. */
const MAX_CHARACTERS = 4_194_304;
/** Milliseconds that the applying waits for the batch before to be filed: longer, and this one is left to be read again. Milliseconds. */
const MAX_WAIT_MS = 1000;

/** Search terms of the events of a batch, gathered while their payloads are in memory. */
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

/**
 * Files for the payload search what a worker applies, so that nobody reads its body again. Applying does not depend on
 * it: it has a transaction of its own, after that which has applied the batch, and goes on beside the next batch. What
 * it leaves out, because it failed or the process ended, is filed by position (index-for-search.ts).
 */
export class AppliedFiling {
  private inProgress: Promise<void> = Promise.resolve();

  begin(): BatchTerms {
    return new BatchTerms();
  }

  /** Resolves when the batch before is filed: one is in progress at most. What holds up the search does not hold up the applying for long. */
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
