import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventField } from "#lib/contracts/events/event-fields";
import { pool } from "#lib/db/pool";
import { listMatching } from "#lib/events/log/newest-store";
import { readStored } from "#lib/platform/reading/read-event";
import { readingOf } from "#lib/platform/reading/source-reading";
import { findReadings } from "#lib/sources/reading-store";
import { mapInPieces } from "#lib/time/pauses";
import { fieldsOf } from "./event-fields.ts";

const NEWEST = 100;

/** Returns the payload fields of the newest events: at most 100 events, and 16 MB of bodies. */
export async function readEventFields(workspaceId: WorkspaceId, now: Date): Promise<EventField[]> {
  const events = await listMatching(workspaceId, {}, { limit: NEWEST, now });
  const readings = await findReadings(pool(), [...new Set(events.map(({ sourceId }) => sourceId))]);
  return fieldsOf(
    await mapInPieces(events, ({ body, sourceId }) => {
      const read = readStored(body, readingOf(readings, sourceId));
      return read.outcome === "data" ? read.data : undefined;
    }),
  );
}
