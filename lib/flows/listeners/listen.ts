import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ChosenEvents, ListenFrame, ListenQuery, ReportedDelivery, WaitingEvents } from "#lib/contracts/events/listeners";
import { notifySoon } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { countBehind, findCursorSince, findFeedEnd, findResumePoint, type ListenRow, readListenPage } from "#lib/events/feed-store";
import { findBodies, slicesOf } from "#lib/events/log/event-body-store";
import { rawOf } from "#lib/flows/events/read-event";
import { findUnknown } from "#lib/flows/events/unknown-in-filter";
import { FeedBell, readFeedCursor } from "#lib/flows/events/watch-feed";
import { deleteListener, insertLocalDeliveries, markListenerSeen, newListener } from "#lib/listeners/listener-store";
import { systemClock } from "#lib/time/clock";
import { shownHeaders } from "#lib/vault/sealed-values";

const PAGE = 500;
/** Interval of sending the position, which also shows that the connection is alive. */
const POSITION_MS = 15_000;
const RIGHTS_MS = 2000;
const MAX_COUNTED = 10_000;

/** `reset`: the given cursor is of a later time than the log. */
type Beginning = { cursor: string; reset: boolean };

/** Yields events and re-deliveries with bodies and headers, to be handed on to the byte. @param mayStillListen false ends the stream */
export async function* listenToLog(
  workspaceId: WorkspaceId,
  start: Beginning,
  query: ListenQuery,
  openedBy: string,
  signal: AbortSignal,
  mayStillListen: () => Promise<boolean>,
): AsyncGenerator<ListenFrame> {
  let { cursor } = start;
  yield { event: "ready", id: cursor, data: start };
  const { name, url, type = [], source = null } = query;
  const listener = newListener({ name, url, types: type, source, openedBy, connectedAt: new Date(systemClock.now()) });
  await markListenerSeen(workspaceId, listener);
  const bell = new FeedBell(workspaceId, signal);
  let askedAt = systemClock.elapsed();
  let toldAt = systemClock.elapsed();
  try {
    while (!signal.aborted) {
      bell.takeRing();
      bell.takeApplied();
      if (bell.takeRights() || systemClock.elapsed() - askedAt > RIGHTS_MS) {
        askedAt = systemClock.elapsed();
        if (!(await mayStillListen())) return;
      }
      const page = await readListenPage(workspaceId, cursor, query, PAGE);
      yield* framesOf(page.rows);
      cursor = page.cursor;
      if (systemClock.elapsed() - toldAt > POSITION_MS) {
        toldAt = systemClock.elapsed();
        yield { event: "position", id: cursor, data: { at: new Date(systemClock.now()).toISOString() } };
        await markListenerSeen(workspaceId, listener);
      }
      if (!page.more) await bell.wait();
    }
  } finally {
    bell.close();
    await deleteListener(workspaceId, listener.id);
  }
}

/** Leaves out events that have left the log meanwhile. */
async function* framesOf(rows: ListenRow[]): AsyncGenerator<ListenFrame> {
  for (const slice of slicesOf(rows)) {
    const bodies = await findBodies(slice);
    for (const { cursor, eventId, type, source, headers, redeliveryId, receivedAt, seq } of slice) {
      const body = bodies.get(seq);
      if (!body) continue;
      const data = {
        id: eventId,
        type,
        source,
        receivedAt: receivedAt.toISOString(),
        headers: shownHeaders(headers),
        ...rawOf(body),
        redeliveryId,
      };
      yield { event: "event", id: cursor, data };
    }
  }
}

/** Counts the events that a listener would be sent at once, and returns the cursor behind them. */
export async function countWaiting(workspaceId: WorkspaceId, query: ChosenEvents, now: Date): Promise<WaitingEvents> {
  const { type, source } = query;
  const { cursor } = await findBeginning(workspaceId, query);
  const [waiting, unknown] = await Promise.all([
    countBehind(workspaceId, cursor, query, MAX_COUNTED),
    findUnknown(workspaceId, { type, source }, { searched: false, now }),
  ]);
  return { ...waiting, unknown };
}

/** @throws AppError `invalid_request` for what is no cursor: beginning elsewhere would lose events silently */
export async function findBeginning(workspaceId: WorkspaceId, { from, since }: ChosenEvents): Promise<Beginning> {
  if (from === undefined)
    return { cursor: since === undefined ? await findFeedEnd() : await findCursorSince(workspaceId, new Date(since)), reset: false };
  const cursor = await findResumePoint(readFeedCursor(from));
  return { cursor, reset: cursor !== from };
}

/** Stores what a local app answered and refreshes open pages. Returns how many were stored. */
export async function keepLocalDeliveries(workspaceId: WorkspaceId, deliveries: ReportedDelivery[], recordedBy: string): Promise<number> {
  const kept = await insertLocalDeliveries(workspaceId, deliveries, recordedBy);
  if (kept > 0) notifySoon(pool(), "applied", workspaceId);
  return kept;
}
