import { listLastTold } from "#lib/connections/connection-history-store";
import { pageConnections } from "#lib/connections/connection-store";
import { findOnlyConnection } from "#lib/connections/platform-notice-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/paging";
import type { Connection, ListedConnection } from "#lib/contracts/connections";
import type { ConnectionFilter } from "#lib/contracts/filters/connection-filters";
import { findLastEvent } from "#lib/events/last-event-store";
import { since } from "./read-connection.ts";

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
