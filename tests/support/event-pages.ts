import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventOrder } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";
import { listEvents } from "#lib/events/event-store";

/** Returns the IDs of all events that match, the newest first, read page after page. */
export async function listInPages(workspaceId: WorkspaceId, filter: EventFilter, limit: number, order?: EventOrder): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listEvents(workspaceId, filter, { now: new Date(), limit, cursor, timeLimitMs: 30_000, ...(order && { order }) });
    found.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}
