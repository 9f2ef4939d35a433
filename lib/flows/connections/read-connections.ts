import { findConnection, findLastToldEvent, listHistory, listLastTold, pageConnections } from "#lib/connections/connection-store";
import { findOnlyConnection, type LinkCandidate, listLinkCandidates } from "#lib/connections/platform-notice-store";
import { findLatestRevocation } from "#lib/connections/tokens/revocation-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/parameters";
import type { Connection, ConnectionDetail, LinkedIntegration, ListedConnection } from "#lib/contracts/connections";
import type { ConnectionFilter } from "#lib/contracts/list-filters";
import type { LinkedConnection, ViewRecord } from "#lib/contracts/views";
import { findLastEvent, type LastEvent } from "#lib/events/log/event-lookup-store";
import { chooseConnection } from "#lib/platform/platform-reports";
import { listViews } from "#lib/views/view-list-store";

export async function listConnections(
  workspaceId: WorkspaceId,
  filter: ConnectionFilter,
  page: { limit: number; cursor?: string | undefined },
  now: Date,
): Promise<Page<ListedConnection>> {
  const [{ data, nextCursor }, only] = await Promise.all([
    pageConnections(workspaceId, filter, page, now),
    findOnlyConnection(workspaceId),
  ]);
  const told = await listLastTold(
    workspaceId,
    data.map(({ id }) => id),
  );
  const lastOfAll = only === null ? null : await findLastEvent(workspaceId);
  const lastOf = ({ id, createdAt }: Connection) =>
    (id === only ? since(createdAt, lastOfAll)?.receivedAt : told.get(id)?.toISOString()) ?? null;
  return { data: data.map((each) => ({ ...each, lastEventAt: lastOf(each) })), nextCursor };
}

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

const since = (createdAt: string, event: LastEvent | null): LastEvent | null =>
  event !== null && event.receivedAt >= createdAt ? event : null;

/** Only the integrations with the newest events are considered. */
const LOOKED_AT = 100;
const SHOWN = 10;

/** Finds an integration's connection by the same rule as its events; null when unknown. */
export async function findConnectionOf(workspaceId: WorkspaceId, integration: ViewRecord): Promise<LinkedConnection | null> {
  const chosen = choose(await listLinkCandidates(workspaceId), integration);
  return chosen && { id: chosen.id, name: chosen.name };
}

/** Lists the integrations of a connection, newest event first; at most 10. */
async function listIntegrationsOf(workspaceId: WorkspaceId, connectionId: string): Promise<LinkedIntegration[]> {
  const candidates = await listLinkCandidates(workspaceId);
  const { data } = await listViews(workspaceId, "integration", { limit: LOOKED_AT });
  const belonging = data.filter((integration) => choose(candidates, integration)?.id === connectionId);
  return belonging.slice(0, SHOWN).map(({ id, label }) => ({ id, label }));
}

/** Matches a disconnected integration by the platform's ID alone. */
function choose(candidates: LinkCandidate[], { id, fields }: ViewRecord): LinkCandidate | null {
  const account = fields.account?.value;
  const possible = candidates.filter((each) => each.linked || each.integrationId === id);
  return chooseConnection(possible, { integrationId: id, account: typeof account === "string" ? account : null });
}
