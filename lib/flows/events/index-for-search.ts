import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import { type Filed, fileNextEvents, type UnreadEvent } from "#lib/events/search/index-store";
import { termsOf } from "#lib/events/search/terms";
import { logger } from "#lib/observability/logger";
import { readEnvelope } from "#lib/platform/envelope";
import { mappingOf } from "#lib/platform/field-names";
import { findMappings } from "#lib/sources/field-mapping-store";

const BATCH = 500;

/**
 * One round of filing the log for the payload search. It goes on where it stopped, so that it also files what
 * was received before there was a search. Failures are logged, and the next round tries again.
 *
 * @returns whether more may wait
 */
export async function workSearchIndex(): Promise<boolean> {
  try {
    return (await fileNext(BATCH)).more;
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "can't index events for search; retrying");
    return false;
  }
}

/**
 * Files the next events of the log.
 *
 * @returns how many; 0 when it has come to the end
 */
export const indexEvents = async (batch = BATCH): Promise<number> => (await fileNext(batch)).filed;

async function fileNext(batch: number): Promise<Filed> {
  const filed = await fileNextEvents(batch, async (client, sourceIds) => {
    const mappings = await findMappings(client, sourceIds);
    return (event) => termsOfEvent(event, mappingOf(mappings, event.sourceId));
  });
  if (filed.unread !== null)
    logger().warn({ eventId: filed.unread }, "an event can't be parsed for search; it is indexed by id and type only");
  return filed;
}

function termsOfEvent({ eventId, type, body }: UnreadEvent, mapping: FieldMapping): string[] {
  const reading = readEnvelope(body, mapping);
  return termsOf({ eventId, type, data: reading.outcome === "envelope" ? reading.envelope.data : null });
}
