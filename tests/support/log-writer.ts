import { setTimeout as sleep } from "node:timers/promises";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { LOG_HORIZON } from "#lib/events/log/event-lookup-store";
import { indexEvents, workSearchIndex } from "#lib/flows/events/index-for-search";
import { processEvents } from "#lib/flows/processing/process-events";
import { appendEvents } from "#lib/ingest/log-store";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { newEvent } from "./new-event.ts";
import { makeWorkspace } from "./webhooks.ts";

const STEP = 500;

/** Appends events to the log as the receiver's store does, but without its limits of time, in this order; repeats are repeats. */
export async function append(
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  events: (FoldableEvent & { headers?: Record<string, string> })[],
  receivedAt = new Date(),
): Promise<void> {
  for (let at = 0; at < events.length; at += STEP) {
    const part = events.slice(at, at + STEP).map(({ eventId, type, created, data, headers = {} }) => {
      const body = Buffer.from(JSON.stringify({ id: eventId, type, created, data }));
      return newEvent({ workspaceId, sourceId, eventId, type, created, body, headers, receivedAt });
    });
    await appendEvents(pool(), part);
  }
}

/** Applies everything that waits, with as many workers as wished at once. */
export async function drainInbox(workers = 1): Promise<void> {
  await passHorizon();
  do await Promise.all(Array.from({ length: workers }, () => whileAny(processEvents)));
  while (workers > 1 && (await hurryLeft()));
}

/** Makes a workspace with these events, all applied. */
export async function makeApplied(events: FoldableEvent[], { workers = 1, receivedAt = new Date() } = {}) {
  const made = await makeWorkspace();
  await append(made.workspaceId, made.sourceId, events, receivedAt);
  await drainInbox(workers);
  return made;
}

/** Makes due what one of several workers left for 5 seconds later, since another had its records locked. @returns whether there was any */
async function hurryLeft(): Promise<boolean> {
  const { rowCount } = await pool().query("UPDATE inbox SET due_at = now() WHERE attempts = 0 AND due_at > now()");
  return rowCount !== 0;
}

/** Until nothing is found twice: a transaction that ends while the log's horizon is read hides for a moment what lies below it. */
async function whileAny(work: () => Promise<number>): Promise<void> {
  for (let empty = 0; empty < 2; ) {
    if ((await work()) > 0) empty = 0;
    else empty += 1;
    if (empty === 1) await sleep(5);
  }
}

/** Files everything that is stored for the payload search, also what it has lost. */
export async function fileAll(): Promise<void> {
  await passHorizon();
  await whileAny(indexEvents);
  while (await workSearchIndex());
}

const PATIENCE_MS = 500;

/**
 * Waits until the log's horizon has passed all that is stored: a transaction that ends while it is read, such as a
 * notification of an earlier step, holds it back for a moment. Half a second at most: a test may hold it back on purpose.
 */
export async function passHorizon(): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(5)) {
    const { rows } = await pool().query<{ held: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM log_places p JOIN events e USING (workspace_id) WHERE e.xid >= ${LOG_HORIZON}) AS held`,
    );
    if (!rows[0]?.held) return;
  }
}
