import type pg from "pg";
import type { ExpiredEvent } from "#lib/events/retention/expiry-store";
import { touchesOf } from "#lib/flows/views/rebuild/fold-log";
import { findReadings } from "#lib/sources/reading-store";
import { Pauses } from "#lib/time/pauses";
import { BaseFold } from "#lib/views/base/base-fold";
import { mergeIntoBases } from "#lib/views/base/base-store";

/** Keeps what leaving events made of records, as a last rebuild would. The transaction holds the readings and the bases' lock. */
export async function keepBases(client: pg.PoolClient, events: ExpiredEvent[]): Promise<void> {
  if (events.length === 0) return;
  const readings = await findReadings(client, [...new Set(events.map(({ sourceId }) => sourceId))]);
  const fold = new BaseFold();
  const pauses = new Pauses();
  for (const { receivedAt, ...event } of events) {
    fold.add(event.workspaceId, touchesOf({ ...event, receivedAt: new Date(receivedAt) }, readings), event.body.length);
    await pauses.afterPiece();
  }
  for (const [workspaceId, bases] of fold.drain()) await mergeIntoBases(client, workspaceId, bases);
}
