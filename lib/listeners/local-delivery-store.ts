import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { LocalDelivery, ReportedDelivery } from "#lib/contracts/events/listeners";
import { keyOfSql } from "#lib/db/log/key-sql";
import { pool } from "#lib/db/pool";

const SHOWN = 20;

/** Keeps answers of local apps to events of the workspace; what is reported again is kept once. Returns how many were kept. */
export async function insertLocalDeliveries(workspaceId: WorkspaceId, deliveries: ReportedDelivery[], recordedBy: string): Promise<number> {
  const { rowCount } = await pool().query(
    `INSERT INTO local_deliveries (workspace_id, event_id, command, listener, url, redelivery_id, at, status, error, duration_ms, body, recorded_by)
     SELECT $1, d."eventId", d.command, d.listener, d.url, d."redeliveryId", d.at, d.status, d.error, d."durationMs", d.body, $3
     FROM jsonb_to_recordset($2::jsonb) AS d("eventId" text, command text, listener text, url text, "redeliveryId" text, at timestamptz,
       status int, error text, "durationMs" int, body text)
     WHERE EXISTS (SELECT 1 FROM event_keys k WHERE ${keyOfSql("k", "$1")} AND k.event_id = d."eventId")
       AND NOT EXISTS (SELECT 1 FROM local_deliveries l WHERE l.workspace_id = $1 AND l.event_id = d."eventId" AND l.at = d.at
         AND l.listener = d.listener AND l.url = d.url AND l.command = d.command)`,
    [workspaceId, JSON.stringify(deliveries), recordedBy],
  );
  return rowCount ?? 0;
}

type Row = Omit<LocalDelivery, "at"> & { at: Date };

export async function listLocalDeliveries(workspaceId: WorkspaceId, eventId: string): Promise<LocalDelivery[]> {
  const { rows } = await pool().query<Row>(
    `SELECT command, listener, url, redelivery_id AS "redeliveryId", at, status, error, duration_ms AS "durationMs", body,
       recorded_by AS "recordedBy"
     FROM local_deliveries WHERE workspace_id = $1 AND event_id = $2 ORDER BY at DESC, id DESC LIMIT ${SHOWN}`,
    [workspaceId, eventId],
  );
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
}

export async function deleteOldLocalDeliveries(before: Date): Promise<number> {
  const { rowCount } = await pool("worker").query("DELETE FROM local_deliveries WHERE at < $1", [before]);
  return rowCount ?? 0;
}
