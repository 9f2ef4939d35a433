import { type Filing, fileNextEvents, type Prepare, type UnfiledEvent } from "#lib/events/search/index-store";
import { refileNextEvents } from "#lib/events/search/refiling-store";
import { termsOf } from "#lib/events/search/terms";
import { logger } from "#lib/observability/logger";
import { readStored } from "#lib/platform/reading/read-event";
import { readingOf, type SourceReading } from "#lib/platform/reading/source-reading";
import { findSettledEnd } from "#lib/processing/log/due-log-store";
import { findReadings } from "#lib/sources/reading-store";

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
