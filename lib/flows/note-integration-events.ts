import type pg from "pg";
import { noteNotices, type ToldEvent } from "#lib/connections/platform-notice-store";
import type { WorkspaceId } from "#lib/contracts/ids";
import { readEnvelope } from "#lib/platform/envelope";
import { readIntegrationNotice, tellsOfConnection } from "#lib/platform/integration-notice";

type AppliedEvent = { workspaceId: WorkspaceId; eventId: string; type: string; created: number; body: Uint8Array };

/**
 * Tells connections what the platform's events say of them
 * (`integration.token_refresh`, `integration.error`,
 * `integration.disconnected`), in the transaction that applies the events.
 * Costs nothing for a batch without such events.
 *
 * @returns how many were told for the first time
 */
export async function noteIntegrationEvents(client: pg.ClientBase, events: AppliedEvent[], now = new Date()): Promise<number> {
  const told = events.filter(({ type }) => tellsOfConnection(type)).flatMap(toldEvent);
  return told.length === 0 ? 0 : noteNotices(client, told, now);
}

function toldEvent({ workspaceId, eventId, type, created, body }: AppliedEvent): ToldEvent[] {
  const reading = readEnvelope(body);
  const notice = reading.outcome === "envelope" ? readIntegrationNotice(type, reading.envelope.data) : null;
  return notice ? [{ workspaceId, eventId, created, notice }] : [];
}
