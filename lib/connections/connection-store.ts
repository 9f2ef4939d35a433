import { type ConnectionId, newId, connectionId as toConnectionId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/paging";
import type { Connection, ConnectionProblemCode } from "#lib/contracts/connections";
import { CONNECTION_STATES, type ConnectionFilter, type ConnectionState } from "#lib/contracts/filters/connection-filters";
import { Cursor } from "#lib/db/cursor";
import { conditionsOf, type FilterConditions, SqlValues } from "#lib/db/filter-conditions";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { appendHistory } from "./connection-history-store.ts";
import { type ConnectionRow, toConnection } from "./connection-record.ts";

const COLUMNS = `
  c.id, c.name, c.state, c.account, c.account_before AS "accountBefore", c.required_scopes AS "requiredScopes", COALESCE(c.granted_scopes, '{}') AS "grantedScopes",
  c.access_expires_at AS "accessExpiresAt", c.expiry_known AS "expiryKnown",
  (t.refresh_sealed IS NOT NULL) AS "hasRefreshToken",
  c.problem_code AS "problemCode", c.problem_detail AS "problemDetail", c.problem_at AS "problemAt",
  c.connected_by AS "connectedBy", c.connected_at AS "connectedAt", c.created_at AS "createdAt",
  c.last_proven_at AS "lastProvenAt", c.last_refresh_at AS "lastRefreshAt", c.next_refresh_at AS "nextRefreshAt", c.retry_after_until AS "retryAfterUntil",
  (SELECT max(a.created_at) FROM authorization_attempts a WHERE c.state = 'pending' AND a.connection_id = c.id AND a.used_at IS NULL) AS "awaitedSince"`;
const FROM = "FROM connections c LEFT JOIN connection_tokens t ON t.connection_id = c.id";

const MAX_CONNECTIONS = 200;
const CURSOR = new Cursor("connections", { createdAt: "time", id: "id" });

export async function listConnections(workspaceId: WorkspaceId, now: Date): Promise<Connection[]> {
  return (await pageConnections(workspaceId, {}, { limit: MAX_CONNECTIONS }, now)).data;
}

/** Agrees with `toConnection`: expired access shows as ended before a worker has noted it. */
export const endedSql = (now: string) =>
  `(c.state IN ('connected', 'expiring') AND t.refresh_sealed IS NULL AND c.expiry_known AND c.access_expires_at <= ${now})`;

const stateSql = (now: string) => `CASE WHEN ${endedSql(now)} THEN 'needs_reauthorization' ELSE c.state END`;

const conditionsAt = (now: Date): FilterConditions<ConnectionFilter> => ({
  state: (states, bind) => `${stateSql(bind(now))} = ANY(${bind(states)}::text[])`,
});

/** @throws AppError `invalid_request` for a cursor of another list or filter */
export async function pageConnections(
  workspaceId: WorkspaceId,
  filter: ConnectionFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  now: Date,
): Promise<Page<Connection>> {
  const after = CURSOR.decode(cursor, filter);
  const { values, bind } = new SqlValues(workspaceId);
  const where = ["c.workspace_id = $1", ...conditionsOf(conditionsAt(now), filter, bind)];
  if (after) where.push(`(c.created_at, c.id) < (${bind(after.createdAt)}, ${bind(after.id)})`);
  const { rows } = await pool().query<ConnectionRow>(
    `SELECT ${COLUMNS} ${FROM} WHERE ${where.join(" AND ")} ORDER BY c.created_at DESC, c.id DESC LIMIT ${bind(limit + 1)}`,
    values,
  );
  return { data: rows.slice(0, limit).map((row) => toConnection(row, now)), nextCursor: CURSOR.next(rows, limit, filter) };
}

export async function findConnection(workspaceId: WorkspaceId, id: string, now: Date): Promise<Connection | null> {
  const { rows } = await pool().query<ConnectionRow>(`SELECT ${COLUMNS} ${FROM} WHERE c.workspace_id = $1 AND c.id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ? toConnection(rows[0], now) : null;
}

/** Adds a pending connection; without a name it gets a number. */
export async function insertPending(workspaceId: WorkspaceId, name: string | undefined, scopes: string[]): Promise<ConnectionId> {
  const id = toConnectionId.parse(newId("con"));
  await pool().query(
    `INSERT INTO connections (id, workspace_id, name, state, required_scopes, granted_scopes)
     SELECT $1, $2, COALESCE($3, 'Account ' || (count(*) + 1)), 'pending', $4, '{}' FROM connections WHERE workspace_id = $2`,
    [id, workspaceId, name ?? null, scopes],
  );
  return id;
}

type Trouble = { code: ConnectionProblemCode; raw: string | null; actor: string; now: Date };

/** Notes a failure in the timeline, and on the card only without a grant: a failed reconnect does no harm to a good one. */
export async function markConnectFailed(workspaceId: WorkspaceId, id: ConnectionId, trouble: Trouble): Promise<boolean> {
  const { code, raw, actor, now } = trouble;
  return inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE connections SET
         problem_code = CASE WHEN state IN ('connected', 'expiring') THEN problem_code ELSE $3 END,
         problem_detail = CASE WHEN state IN ('connected', 'expiring') THEN problem_detail ELSE $4 END,
         problem_at = CASE WHEN state IN ('connected', 'expiring') THEN problem_at ELSE $5 END
       WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id, code, raw, now],
    );
    if (rowCount === 1) await appendHistory(client, workspaceId, id, { kind: "connect_failed", code, detail: raw, actor, at: now });
    return rowCount === 1;
  });
}

/** Removes a connection that never had a grant, so has no history worth keeping; false if it had one. */
export async function deleteUnconnected(workspaceId: WorkspaceId, id: ConnectionId): Promise<boolean> {
  const { count } = await prisma().connection.deleteMany({ where: { workspaceId, id, state: "pending", connectedAt: null } });
  return count === 1;
}

/** Lists connections of all workspaces that only a person can restore. */
export async function listLostConnections(): Promise<{ workspaceId: WorkspaceId; id: string; name: string }[]> {
  const { rows } = await pool().query<{ workspaceId: WorkspaceId; id: string; name: string }>(
    `SELECT c.workspace_id AS "workspaceId", c.id, c.name FROM connections c LEFT JOIN connection_tokens t ON t.connection_id = c.id
     WHERE c.state = 'needs_reauthorization' OR ${endedSql("now()")} ORDER BY c.created_at`,
  );
  return rows;
}

export async function countConnections(): Promise<Record<ConnectionState, number>> {
  const rows = await prisma().connection.groupBy({ by: ["state"], _count: true });
  const counts = new Map(rows.map(({ state, _count }) => [state, _count]));
  return Object.fromEntries(CONNECTION_STATES.map((state) => [state, counts.get(state) ?? 0])) as Record<ConnectionState, number>;
}

/** The platform said that it ended, but it has worked since. */
export type Contradiction = {
  workspaceId: WorkspaceId;
  connectionId: string;
  account: string | null;
  /** The platform's ID, where a token answer gave it. */
  integrationId: string | null;
  eventId: string;
  toldAt: Date;
};

const MAX_CONTRADICTIONS = 1000;

/** Lists connections whose last platform event says revoked, but which were renewed later without a new consent. */
export async function listContradictions(): Promise<Contradiction[]> {
  const { rows } = await pool("worker").query<Contradiction>(
    `SELECT c.workspace_id AS "workspaceId", c.id AS "connectionId", c.account, c.integration_id AS "integrationId", h.event_id AS "eventId", h.at AS "toldAt"
       FROM connections c CROSS JOIN LATERAL (
         SELECT kind, event_id, at FROM connection_history WHERE connection_id = c.id AND event_id IS NOT NULL
          ORDER BY connection_history.id DESC LIMIT 1) h
      WHERE c.state IN ('connected', 'expiring') AND h.kind = 'platform_disconnected' AND c.last_proven_at > h.at
        AND (c.connected_at IS NULL OR c.connected_at < h.at) ORDER BY c.id LIMIT ${MAX_CONTRADICTIONS}`,
  );
  return rows;
}
