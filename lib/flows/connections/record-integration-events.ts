import type pg from "pg";
import { noteNotices, type ToldEvent } from "#lib/connections/platform-notice-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import { readEnvelope } from "#lib/platform/envelope";
import { eventSeconds } from "#lib/platform/event-time";
import { type FieldMappings, mappingOf } from "#lib/platform/field-names";
import { readIntegrationNotice, tellsOfConnection } from "#lib/platform/integration-notice";

type AppliedEvent = {
  workspaceId: WorkspaceId;
  sourceId: string;
  eventId: string;
  type: string;
  created: number;
  receivedAt: Date;
  body: Uint8Array;
};

/**
 * Tells connections what the platform's events say of them
 * (`integration.token_refresh`, `integration.error`,
 * `integration.disconnected`), in the transaction that applies the events.
 * Costs nothing for a batch without such events.
 *
 * @returns how many were recorded for the first time
 */
export async function recordIntegrationEvents(
  client: pg.ClientBase,
  events: AppliedEvent[],
  mappings: FieldMappings,
  now = new Date(),
): Promise<number> {
  const told = events
    .filter(({ type }) => tellsOfConnection(type))
    .flatMap((event) => toldEvent(event, mappingOf(mappings, event.sourceId)));
  return told.length === 0 ? 0 : noteNotices(client, told, now);
}

function toldEvent({ workspaceId, eventId, type, created, receivedAt, body }: AppliedEvent, mapping: FieldMapping): ToldEvent[] {
  const reading = readEnvelope(body, mapping);
  const notice = reading.outcome === "envelope" ? readIntegrationNotice(type, reading.envelope.data, mapping) : null;
  return notice ? [{ workspaceId, eventId, created: eventSeconds(created, receivedAt), notice }] : [];
}
