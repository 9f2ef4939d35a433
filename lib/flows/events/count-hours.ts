import { addPlaces, countNext, listUncounted } from "#lib/events/hour-counter-store";
import { logger } from "#lib/observability/logger";

/** Events a transaction: some tenths of a second. */
const BATCH = 20_000;
/** During the first count of a log, progress is logged once in so many events. */
const LOGGED = 200_000;

/** Counts new events by the hour; a log of an earlier release from its beginning, a batch a round. Returns true if more may wait. */
export async function countHours(batch = BATCH): Promise<boolean> {
  let more = false;
  try {
    await addPlaces();
    for (const workspaceId of await listUncounted()) {
      const counting = await countNext(workspaceId, batch);
      if (counting === null) continue;
      more ||= counting.more;
      const { first, total, counted } = counting;
      const isNoted = !counting.more || Math.floor(total / LOGGED) > Math.floor((total - counted) / LOGGED);
      if (first && isNoted)
        logger().info({ workspaceId, events: total, more: counting.more }, "counted a log of an earlier release by the hour");
    }
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "can't count events by the hour; retrying");
    return false;
  }
  return more;
}
