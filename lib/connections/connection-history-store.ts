import type pg from "pg";
import type { ConnectionDetail, ConnectionProblemCode } from "#lib/contracts/connections";
import type { WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";

/** What the timeline of a connection knows. */
export type HistoryKind = "connected" | "connect_failed" | "refreshed" | "refresh_delayed" | "lost" | "expiry_near" | "disconnected";

type Entry = { kind: HistoryKind; code?: ConnectionProblemCode | null; detail?: string | null; actor: string | null; at: Date };

/** Adds a line to the timeline, in the transaction that makes it true. */
export async function appendHistory(client: pg.PoolClient, workspaceId: WorkspaceId, connectionId: string, entry: Entry): Promise<void> {
  await client.query(
    "INSERT INTO connection_history (workspace_id, connection_id, at, kind, code, detail, actor) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    [workspaceId, connectionId, entry.at, entry.kind, entry.code ?? null, entry.detail ?? null, entry.actor],
  );
}

const SHOWN = 100;

/** The last hundred lines, newest first. */
export async function listHistory(workspaceId: WorkspaceId, connectionId: string): Promise<ConnectionDetail["history"]> {
  const { rows } = await pool().query<{ at: Date; kind: string; code: string | null; detail: string | null; actor: string | null }>(
    `SELECT at, kind, code, detail, actor FROM connection_history
      WHERE workspace_id = $1 AND connection_id = $2 ORDER BY id DESC LIMIT ${SHOWN}`,
    [workspaceId, connectionId],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
