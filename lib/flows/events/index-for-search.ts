import { inTransactionByKey } from "#lib/db/pool";
import {
  type FiledEvent,
  type Filing,
  fileEvents,
  fileNextEvents,
  type Prepare,
  refileNextEvents,
  type UnfiledEvent,
} from "#lib/events/search/index-store";
import { termsOf } from "#lib/events/search/terms";
import { logger } from "#lib/observability/logger";
import { readingOf, readStored, type SourceReading } from "#lib/platform/read-event";
import { findSettledEnd } from "#lib/processing/backlog-store";
import type { Claimed } from "#lib/processing/inbox-store";
import { findReadings } from "#lib/sources/reading-store";
import { inTime } from "#lib/time/waits";

const BATCH = 500;

/** Indexes events that were not indexed when applied, then those that a database crash took out. Returns true if more may wait. */
export async function workSearchIndex(): Promise<boolean> {
  try {
    return (await fileNext(BATCH, true)).more || (await refileNext(BATCH));
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "can't index events for search; retrying");
    return false;
  }
}

/** Indexes the next events, applied or not. Returns how many; 0 at the end of the log. */
export async function indexEvents(batch = BATCH): Promise<number> {
  for (;;) {
    const { filed, more } = await fileNext(batch, false);
    if (filed > 0 || !more) return filed;
  }
}

/** @param settled only events applied a while ago: before that, the worker that applies an event indexes it */
async function fileNext(batch: number, settled: boolean): Promise<Filing> {
  const filing = await fileNextEvents(batch, settled ? findSettledEnd : null, readTerms);
  warnOfUnread(filing);
  return filing;
}

async function refileNext(batch: number): Promise<boolean> {
  const filing = await refileNextEvents(batch, readTerms);
  if (filing.begun)
    logger().warn("the search index was lost when the database crashed or failed over; indexing the log again, newest events first");
  warnOfUnread(filing);
  if (filing.ended) logger().info("the search index is complete again");
  return filing.more;
}

function warnOfUnread({ unread }: Filing): void {
  if (unread !== null) logger().warn({ eventId: unread }, "an event can't be parsed for search; it is indexed by id and type only");
}

const readTerms: Prepare = async (client, sourceIds) => {
  const readings = await findReadings(client, sourceIds);
  return (event, body) => termsOfEvent(event, body, readingOf(readings, event.sourceId));
};

function termsOfEvent({ workspaceId, eventId, type }: UnfiledEvent, body: Uint8Array | null, reading: SourceReading): string[] {
  const read = body && readStored(body, reading);
  return termsOf({ workspaceId, eventId, type, data: read?.outcome === "data" ? read.data : undefined });
}

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
    await inTransactionByKey((client) => fileEvents(client, events));
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "can't index applied events for search now; they are indexed later");
  }
}
