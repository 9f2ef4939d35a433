import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Listener, LocalDelivery, ReportedDelivery } from "#lib/contracts/events/listeners";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { countChanged } from "#lib/db/rows";
import { keyOfSql } from "#lib/db/sql";

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

type ListenerRow = Omit<Listener, "connectedAt"> & { connectedAt: Date };

export async function listListeners(workspaceId: WorkspaceId): Promise<Listener[]> {
  const { rows } = await pool().query<ListenerRow>(
    `SELECT id, name, url, types, source, opened_by AS "openedBy", connected_at AS "connectedAt" FROM listeners
     WHERE workspace_id = $1 AND seen_at > ${GONE} ORDER BY connected_at, id`,
    [workspaceId],
  );
  return rows.map(({ connectedAt, ...row }) => ({ ...row, connectedAt: connectedAt.toISOString() }));
}

export const deleteGoneListeners = (): Promise<number> => countChanged(pool("worker"), `DELETE FROM listeners WHERE seen_at <= ${GONE}`);

const SHOWN = 20;

/** Keeps answers of local apps to events of the workspace; what is reported again is kept once. Returns how many were kept. */
export const insertLocalDeliveries = (workspaceId: WorkspaceId, deliveries: ReportedDelivery[], recordedBy: string): Promise<number> =>
  countChanged(
    pool(),
    `INSERT INTO local_deliveries (workspace_id, event_id, command, listener, url, redelivery_id, at, status, error, duration_ms, body, recorded_by)
     SELECT $1, d."eventId", d.command, d.listener, d.url, d."redeliveryId", d.at, d.status, d.error, d."durationMs", d.body, $3
     FROM jsonb_to_recordset($2::jsonb) AS d("eventId" text, command text, listener text, url text, "redeliveryId" text, at timestamptz,
       status int, error text, "durationMs" int, body text)
     WHERE EXISTS (SELECT 1 FROM event_keys k WHERE ${keyOfSql("k", "$1")} AND k.event_id = d."eventId")
       AND NOT EXISTS (SELECT 1 FROM local_deliveries l WHERE l.workspace_id = $1 AND l.event_id = d."eventId" AND l.at = d.at
         AND l.listener = d.listener AND l.url = d.url AND l.command = d.command)`,
    [workspaceId, JSON.stringify(deliveries), recordedBy],
  );

type LocalDeliveryRow = Omit<LocalDelivery, "at"> & { at: Date };

export async function listLocalDeliveries(workspaceId: WorkspaceId, eventId: string): Promise<LocalDelivery[]> {
  const { rows } = await pool().query<LocalDeliveryRow>(
    `SELECT command, listener, url, redelivery_id AS "redeliveryId", at, status, error, duration_ms AS "durationMs", body,
       recorded_by AS "recordedBy"
     FROM local_deliveries WHERE workspace_id = $1 AND event_id = $2 ORDER BY at DESC, id DESC LIMIT ${SHOWN}`,
    [workspaceId, eventId],
  );
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
}

export const deleteOldLocalDeliveries = (before: Date): Promise<number> =>
  countChanged(pool("worker"), "DELETE FROM local_deliveries WHERE at < $1", [before]);
