import type pg from "pg";
import { noteNotices, type ToldEvent } from "#lib/connections/connection-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { eventSeconds } from "#lib/platform/event-time";
import { readIntegrationNotice, tellsOfConnection } from "#lib/platform/platform-reports";
import { readingOf, readStored, type SourceReading, type SourceReadings } from "#lib/platform/read-event";

type AppliedEvent = {
  workspaceId: WorkspaceId;
  sourceId: string;
  eventId: string;
  type: string;
  created: number;
  receivedAt: Date;
  body: Uint8Array;
};

/** Applies `integration.*` events to connections, in the transaction that applies the events. Returns how many were new. */
export async function recordIntegrationEvents(
  client: pg.ClientBase,
  events: AppliedEvent[],
  readings: SourceReadings,
  now: Date,
): Promise<number> {
  const told = events
    .filter(({ type }) => tellsOfConnection(type))
    .flatMap((event) => toldEvent(event, readingOf(readings, event.sourceId)));
  return told.length === 0 ? 0 : noteNotices(client, told, now);
}

function toldEvent({ workspaceId, eventId, type, created, receivedAt, body }: AppliedEvent, reading: SourceReading): ToldEvent[] {
  if (reading.records !== "platform") return [];
  const read = readStored(body, reading);
  const notice = read.outcome === "data" ? readIntegrationNotice(type, read.data, reading.mapping) : null;
  return notice ? [{ workspaceId, eventId, created: eventSeconds(created, receivedAt), notice }] : [];
}
