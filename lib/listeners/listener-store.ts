import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Listener } from "#lib/contracts/events/listeners";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

/** A listener not seen for this long is gone: its process or its server ended without notice. By the database's clock. */
const GONE = "clock_timestamp() - interval '60 seconds'";

type NewListener = Pick<Listener, "name" | "url" | "types" | "source" | "openedBy"> & { connectedAt: Date };

export const newListener = (settings: NewListener): ConnectedListener => ({ id: newId("lst"), ...settings });

type ConnectedListener = NewListener & { id: string };

export async function markListenerSeen(workspaceId: WorkspaceId, listener: ConnectedListener): Promise<void> {
  const { id, name, url, types, source, openedBy, connectedAt } = listener;
  await pool().query(
    `INSERT INTO listeners (id, workspace_id, name, url, types, source, opened_by, connected_at, seen_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp()) ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`,
    [id, workspaceId, name, url, types, source, openedBy, connectedAt],
  );
}

export async function deleteListener(workspaceId: WorkspaceId, id: string): Promise<void> {
  await prisma().listener.deleteMany({ where: { id, workspaceId } });
}

type Row = Omit<Listener, "connectedAt"> & { connectedAt: Date };

export async function listListeners(workspaceId: WorkspaceId): Promise<Listener[]> {
  const { rows } = await pool().query<Row>(
    `SELECT id, name, url, types, source, opened_by AS "openedBy", connected_at AS "connectedAt" FROM listeners
     WHERE workspace_id = $1 AND seen_at > ${GONE} ORDER BY connected_at, id`,
    [workspaceId],
  );
  return rows.map(({ connectedAt, ...row }) => ({ ...row, connectedAt: connectedAt.toISOString() }));
}

export async function deleteGoneListeners(): Promise<number> {
  const { rowCount } = await pool("worker").query(`DELETE FROM listeners WHERE seen_at <= ${GONE}`);
  return rowCount ?? 0;
}
