import { listen } from "#lib/db/listen";
import { fileNextEvents, type UnreadEvent } from "#lib/events/search-index-store";
import { termsOf } from "#lib/events/search-terms";
import { logger } from "#lib/observability/logger";
import { readEnvelope } from "#lib/platform/envelope";

const BATCH = 500;
/** After new events it waits this long before it files them: applying comes first. Milliseconds. */
const GATHER_MS = 250;
/** Without a notification the log is looked at this often. Milliseconds. */
const IDLE_MS = 5000;

/**
 * Files the log for the payload search until the signal aborts. It goes on where it stopped, so that it also
 * files what was received before there was a search.
 */
export async function runSearchIndexer(signal: AbortSignal): Promise<void> {
  let rung = false;
  let wake = () => {};
  const ring = () => {
    rung = true;
    wake();
  };
  const stopListening = listen("appended", ring);
  signal.addEventListener("abort", ring, { once: true });
  while (!signal.aborted) {
    rung = false;
    const filed = await indexEvents().catch((error: Error) => {
      logger().warn({ reason: error.message }, "can't file events for the search; trying again");
      return 0;
    });
    if (filed === BATCH) continue;
    if (!rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, IDLE_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
  }
  stopListening();
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
