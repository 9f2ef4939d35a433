import type { WorkspaceId } from "#lib/contracts/api/ids";
import { keyOfSql } from "#lib/db/log/key-sql";
import { pool } from "#lib/db/pool";

export type LastEvent = { id: string; type: string; receivedAt: string };

type Row = { id: string; type: string; receivedAt: Date };

const COLUMNS = 'e.event_id AS id, e.type, e.received_at AS "receivedAt"';

/** Returns the workspace's newest event, or the one with this ID; null when there is none. */
export async function findLastEvent(workspaceId: WorkspaceId, eventId?: string): Promise<LastEvent | null> {
  const { rows } =
    eventId === undefined
      ? await pool().query<Row>(
          `SELECT ${COLUMNS} FROM events e WHERE e.workspace_id = $1 ORDER BY e.received_at DESC, e.seq DESC LIMIT 1`,
          [workspaceId],
        )
      : await pool().query<Row>(
          `SELECT ${COLUMNS} FROM event_keys k JOIN events e USING (received_at, seq)
            WHERE ${keyOfSql("k", "$1")} AND k.event_id = $2 ORDER BY e.received_at DESC LIMIT 1`,
          [workspaceId, eventId],
        );
  const [row] = rows;
  return row ? { ...row, receivedAt: row.receivedAt.toISOString() } : null;
}
