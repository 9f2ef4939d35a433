import type { SourceId, WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";
import { appendEvents } from "#lib/events/log-store";
import { processEvents } from "#lib/flows/process-events";
import type { FoldableEvent } from "#lib/views/plan";
import { newEvent } from "./new-event.ts";

const STEP = 500;

/** Appends events to the log as the receiver's store does, in this order; repeats are repeats. */
export async function append(
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  events: FoldableEvent[],
  receivedAt = new Date(),
): Promise<void> {
  for (let at = 0; at < events.length; at += STEP) {
    const part = events.slice(at, at + STEP).map(({ eventId, type, created, data }) => {
      const body = Buffer.from(JSON.stringify({ id: eventId, type, created, data }));
      return newEvent({ workspaceId, sourceId, eventId, type, created, body, receivedAt });
    });
    await appendEvents(pool("receiver"), part);
  }
}

/** Applies everything that waits, with as many workers as wished at once. */
export async function drainInbox(workers = 1): Promise<void> {
  const drain = async () => {
    while ((await processEvents()) > 0);
  };
  await Promise.all(Array.from({ length: workers }, drain));
}
