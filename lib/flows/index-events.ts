import { fileNextEvents, type UnreadEvent } from "#lib/events/search-index-store";
import { termsOf } from "#lib/events/search-terms";
import { logger } from "#lib/observability/logger";
import { readEnvelope } from "#lib/platform/envelope";

const BATCH = 500;

/**
 * One round of filing the log for the payload search. It goes on where it stopped, so that it also files what
 * was received before there was a search. What goes wrong is told in the log, and the next round tries again.
 *
 * @returns whether more may wait
 */
export async function workSearchIndex(): Promise<boolean> {
  try {
    return (await indexEvents()) === BATCH;
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "can't file events for the search; trying again");
    return false;
  }
}

/**
 * Files the next events of the log.
 *
 * @returns how many; fewer than `batch` when it has come to the end
 */
export const indexEvents = (batch = BATCH): Promise<number> => fileNextEvents(batch, termsOfEvent);

function termsOfEvent({ eventId, type, body }: UnreadEvent): string[] {
  const reading = readEnvelope(body);
  return termsOf({ eventId, type, data: reading.outcome === "envelope" ? reading.envelope.data : null });
}
