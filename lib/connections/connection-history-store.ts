import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ConnectionDetail, ConnectionProblemCode } from "#lib/contracts/connections";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

export type HistoryKind =
  | "connected"
  | "connect_failed"
  | "account_changed"
  | "refreshed"
  | "refresh_delayed"
  | "lost"
  | "key_lost"
  | "key_found"
  | "expiry_near"
  | "disconnected"
  | "revoked"
  | "not_revoked"
  | "platform_refreshed"
  | "platform_error"
  | "platform_disconnected";

type Entry = {
  kind: HistoryKind;
  code?: ConnectionProblemCode | null;
  detail?: string | null;
  actor: string | null;
  at: Date;
  eventId?: string;
};

/** Adds an entry, in the transaction that makes it true; false if the event is recorded already. */
export async function appendHistory(client: pg.ClientBase, workspaceId: WorkspaceId, connectionId: string, entry: Entry): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO connection_history (workspace_id, connection_id, at, kind, code, detail, actor, event_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (connection_id, event_id) DO NOTHING`,
    [workspaceId, connectionId, entry.at, entry.kind, entry.code ?? null, entry.detail ?? null, entry.actor, entry.eventId ?? null],
  );
  return rowCount === 1;
}

/** Notes whether tokens were revoked; nothing for a removed connection. */
export async function noteRevocation(workspaceId: WorkspaceId, connectionId: string, revoked: boolean, detail: string, now: Date) {
  await pool().query(
    `INSERT INTO connection_history (workspace_id, connection_id, at, kind, detail)
     SELECT workspace_id, id, $3, $4, $5 FROM connections WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, connectionId, now, (revoked ? "revoked" : "not_revoked") satisfies HistoryKind, detail],
  );
}

const SHOWN = 100;

export async function listHistory(workspaceId: WorkspaceId, connectionId: string): Promise<ConnectionDetail["history"]> {
  const rows = await prisma().connectionHistory.findMany({
    where: { workspaceId, connectionId },
    orderBy: { id: "desc" },
    take: SHOWN,
    select: { at: true, kind: true, code: true, detail: true, actor: true, eventId: true },
  });
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

export async function findLastToldEvent(workspaceId: WorkspaceId, connectionId: string): Promise<string | null> {
  const row = await prisma().connectionHistory.findFirst({
    where: { workspaceId, connectionId, eventId: { not: null } },
    orderBy: { id: "desc" },
    select: { eventId: true },
  });
  return row?.eventId ?? null;
}

/** Returns when each connection last had a platform event; those without are absent. */
export async function listLastTold(workspaceId: WorkspaceId, connectionIds: string[]): Promise<Map<string, Date>> {
  const { rows } = await pool().query<{ id: string; at: Date }>(
    `SELECT connection_id AS id, max(at) AS at FROM connection_history
      WHERE workspace_id = $1 AND connection_id = ANY($2) AND event_id IS NOT NULL GROUP BY connection_id`,
    [workspaceId, connectionIds],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Counts connections with news since a moment; a renewal that worked is none. */
export async function countChangedSince(workspaceId: WorkspaceId, since: Date): Promise<number> {
  const told = { at: { gt: since }, kind: { notIn: ["refreshed", "platform_refreshed"] satisfies HistoryKind[] } };
  return prisma().connection.count({ where: { workspaceId, history: { some: told } } });
}
