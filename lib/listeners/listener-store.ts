import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Listener } from "#lib/contracts/events/listeners";
import { pool } from "#lib/db/pool";

/** A listener that was not seen for so long is gone: its process or its server ended without a word. Milliseconds. */
const GONE_MS = 60_000;

type NewListener = Pick<Listener, "name" | "url" | "types" | "source" | "openedBy">;

/** Notes that a listener has connected. @returns its id */
export async function insertListener(workspaceId: WorkspaceId, { name, url, types, source, openedBy }: NewListener): Promise<string> {
  const id = newId("lst");
  await pool().query("INSERT INTO listeners (id, workspace_id, name, url, types, source, opened_by) VALUES ($1, $2, $3, $4, $5, $6, $7)", [
    id,
    workspaceId,
    name,
    url,
    types,
    source,
    openedBy,
  ]);
  return id;
}

/** Notes that a listener is still connected. */
export async function markListenerSeen(workspaceId: WorkspaceId, id: string, now: Date): Promise<void> {
  await pool().query("UPDATE listeners SET seen_at = $3 WHERE workspace_id = $1 AND id = $2", [workspaceId, id, now]);
}

/** Forgets a listener that has left. */
export async function deleteListener(workspaceId: WorkspaceId, id: string): Promise<void> {
  await pool().query("DELETE FROM listeners WHERE workspace_id = $1 AND id = $2", [workspaceId, id]);
}

type Row = Omit<Listener, "connectedAt"> & { connectedAt: Date };

/** The listeners that are connected, the first that came first. */
export async function listListeners(workspaceId: WorkspaceId, now = new Date()): Promise<Listener[]> {
  const { rows } = await pool().query<Row>(
    `SELECT id, name, url, types, source, opened_by AS "openedBy", connected_at AS "connectedAt" FROM listeners
     WHERE workspace_id = $1 AND seen_at > $2 ORDER BY connected_at, id`,
    [workspaceId, new Date(now.getTime() - GONE_MS)],
  );
  return rows.map(({ connectedAt, ...row }) => ({ ...row, connectedAt: connectedAt.toISOString() }));
}

/** Forgets listeners that left without a word. @returns how many */
export async function deleteGoneListeners(now: Date): Promise<number> {
  const { rowCount } = await pool("worker").query("DELETE FROM listeners WHERE seen_at <= $1", [new Date(now.getTime() - GONE_MS)]);
  return rowCount ?? 0;
}
