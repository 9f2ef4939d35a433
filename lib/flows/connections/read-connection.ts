import { findLastToldEvent, listHistory } from "#lib/connections/connection-history-store";
import { findConnection } from "#lib/connections/connection-store";
import { findOnlyConnection } from "#lib/connections/platform-notice-store";
import { findLatestRevocation } from "#lib/connections/tokens/revocation-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Connection, ConnectionDetail } from "#lib/contracts/connections";
import { findLastEvent, type LastEvent } from "#lib/events/last-event-store";
import { listIntegrationsOf } from "./link-integrations.ts";

export async function readConnection(workspaceId: WorkspaceId, id: string, now: Date): Promise<ConnectionDetail | null> {
  const found = await findConnection(workspaceId, id, now);
  if (!found) return null;
  const [history, integrations, lastEvent, revocation] = await Promise.all([
    listHistory(workspaceId, id),
    listIntegrationsOf(workspaceId, id),
    lastEventOf(workspaceId, found),
    findLatestRevocation(workspaceId, id),
  ]);
  return { ...found, history, integrations, lastEvent, revocation };
}

/** Finds the last event. Assumption: a lone connection gets all events; one of several gets those that its history records. */
async function lastEventOf(workspaceId: WorkspaceId, { id, createdAt }: Connection) {
  if ((await findOnlyConnection(workspaceId)) === id) return since(createdAt, await findLastEvent(workspaceId));
  const told = await findLastToldEvent(workspaceId, id);
  return told === null ? null : findLastEvent(workspaceId, told);
}

export const since = (createdAt: string, event: LastEvent | null): LastEvent | null =>
  event !== null && event.receivedAt >= createdAt ? event : null;
