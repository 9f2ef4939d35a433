import type pg from "pg";
import { type ConnectionId, newId, connectionId as toConnectionId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import { CONNECTION_STATES, type ConnectionFilter, type ConnectionState } from "#lib/contracts/connection-filters";
import type { Connection, ConnectionDetail, ConnectionProblemCode } from "#lib/contracts/connections";
import { Cursor } from "#lib/db/cursor";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { changesOne, queryRows, queryValue } from "#lib/db/rows";
import { conditionsOf, DUE_NOW, type FilterConditions, SqlValues } from "#lib/db/sql";
import { plainText } from "#lib/platform/payload";
import { type Candidate, chooseConnection, type IntegrationNotice } from "#lib/platform/platform-reports";
import { CONNECTION_COLUMNS, type ConnectionRow, nextState, statesThatAllow, toConnection } from "./connection-state.ts";

const FROM = "FROM connections c LEFT JOIN connection_tokens t ON t.connection_id = c.id";

const MAX_CONNECTIONS = 200;
const CURSOR = new Cursor("connections", { createdAt: "time", id: "id" });

export async function listConnections(workspaceId: WorkspaceId, now: Date): Promise<Connection[]> {
  return (await pageConnections(workspaceId, {}, { limit: MAX_CONNECTIONS }, now)).data;
}

/** Agrees with `toConnection`: expired access shows as ended before a worker has noted it. */
const endedSql = (now: string) =>
  `(c.state IN ('connected', 'expiring') AND t.refresh_sealed IS NULL AND c.expiry_known AND c.access_expires_at <= ${now})`;

const stateSql = (now: string) => `CASE WHEN ${endedSql(now)} THEN 'needs_reauthorization' ELSE c.state END`;

const conditionsAt = (now: Date): FilterConditions<ConnectionFilter> => ({
  state: (states, bind) => `${stateSql(bind(now))} = ANY(${bind(states)}::text[])`,
});

/** @throws AppError `invalid_request` for a cursor of another list or filter */
export async function pageConnections(
  workspaceId: WorkspaceId,
  filter: ConnectionFilter,
  { limit, cursor }: Paging,
  now: Date,
): Promise<Page<Connection>> {
  const after = CURSOR.decode(cursor, filter);
  const { values, bind } = new SqlValues(workspaceId);
  const where = ["c.workspace_id = $1", ...conditionsOf(conditionsAt(now), filter, bind)];
  if (after) where.push(`(c.created_at, c.id) < (${bind(after.createdAt)}, ${bind(after.id)})`);
  const { rows } = await pool().query<ConnectionRow>(
    `SELECT ${CONNECTION_COLUMNS} ${FROM} WHERE ${where.join(" AND ")} ORDER BY c.created_at DESC, c.id DESC LIMIT ${bind(limit + 1)}`,
    values,
  );
  return { data: rows.slice(0, limit).map((row) => toConnection(row, now)), nextCursor: CURSOR.next(rows, limit, filter) };
}

export async function findConnection(workspaceId: WorkspaceId, id: string, now: Date): Promise<Connection | null> {
  const { rows } = await pool().query<ConnectionRow>(`SELECT ${CONNECTION_COLUMNS} ${FROM} WHERE c.workspace_id = $1 AND c.id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ? toConnection(rows[0], now) : null;
}

/** Adds a pending connection; without a name it has a number until its account is known. */
export async function insertPending(workspaceId: WorkspaceId, name: string | undefined, scopes: string[]): Promise<ConnectionId> {
  const id = toConnectionId.parse(newId("con"));
  await pool().query(
    `INSERT INTO connections (id, workspace_id, name, name_given, state, required_scopes, granted_scopes)
     SELECT $1, $2, COALESCE($3, 'Account ' || (count(*) + 1)), $3::text IS NOT NULL, 'pending', $4, '{}' FROM connections WHERE workspace_id = $2`,
    [id, workspaceId, name ?? null, scopes],
  );
  return id;
}

/** Names a connection; null if there is none. @returns the name before */
export const renameConnection = (workspaceId: WorkspaceId, id: string, name: string): Promise<string | null> =>
  queryValue<{ name: string }>(
    pool(),
    `UPDATE connections c SET name = $3, name_given = true FROM (SELECT id, name FROM connections WHERE workspace_id = $1 AND id = $2 FOR UPDATE) b
      WHERE c.id = b.id RETURNING b.name`,
    [workspaceId, id, name],
  );

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
export const listLostConnections = (): Promise<{ workspaceId: WorkspaceId; id: string; name: string }[]> =>
  queryRows<{ workspaceId: WorkspaceId; id: string; name: string }>(
    pool(),
    `SELECT c.workspace_id AS "workspaceId", c.id, c.name FROM connections c LEFT JOIN connection_tokens t ON t.connection_id = c.id
     WHERE c.state = 'needs_reauthorization' OR ${endedSql("now()")} ORDER BY c.created_at`,
  );

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
export const listContradictions = (): Promise<Contradiction[]> =>
  queryRows<Contradiction>(
    pool("worker"),
    `SELECT c.workspace_id AS "workspaceId", c.id AS "connectionId", c.account, c.integration_id AS "integrationId", h.event_id AS "eventId", h.at AS "toldAt"
       FROM connections c CROSS JOIN LATERAL (
         SELECT kind, event_id, at FROM connection_history WHERE connection_id = c.id AND event_id IS NOT NULL
          ORDER BY connection_history.id DESC LIMIT 1) h
      WHERE c.state IN ('connected', 'expiring') AND h.kind = 'platform_disconnected' AND c.last_proven_at > h.at
        AND (c.connected_at IS NULL OR c.connected_at < h.at) ORDER BY c.id LIMIT ${MAX_CONTRADICTIONS}`,
  );

type HistoryKind =
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
  | "platform_connected"
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
export const appendHistory = (client: pg.ClientBase, workspaceId: WorkspaceId, connectionId: string, entry: Entry): Promise<boolean> =>
  changesOne(
    client,
    `INSERT INTO connection_history (workspace_id, connection_id, at, kind, code, detail, actor, event_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (connection_id, event_id) DO NOTHING`,
    [workspaceId, connectionId, entry.at, entry.kind, entry.code ?? null, entry.detail ?? null, entry.actor, entry.eventId ?? null],
  );

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
  const told = { at: { gt: since }, kind: { notIn: ["refreshed", "platform_connected", "platform_refreshed"] satisfies HistoryKind[] } };
  return prisma().connection.count({ where: { workspaceId, history: { some: told } } });
}

const VALID_MS = 10 * 60_000;

export type AuthorizationAttempt = {
  stateHash: string;
  connectionId: ConnectionId;
  userId: string;
  sessionHash: string;
  redirectUri: string;
  verifierSealed: string | null;
  expiresAt: Date;
  usedAt: Date | null;
};

type NewAttempt = Omit<AuthorizationAttempt, "expiresAt" | "usedAt">;

export async function insertAttempt(workspaceId: WorkspaceId, attempt: NewAttempt, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + VALID_MS);
  await prisma().authorizationAttempt.create({ data: { ...attempt, workspaceId, createdAt: now, expiresAt } });
}

export async function findAttempt(workspaceId: WorkspaceId, stateHash: string): Promise<AuthorizationAttempt | null> {
  const row = await prisma().authorizationAttempt.findFirst({ where: { stateHash, workspaceId } });
  return row && { ...row, connectionId: toConnectionId.parse(row.connectionId) };
}

/** Uses up the attempt in one guarded statement; false if it was used, has expired or belongs to another browser session. */
export async function claimAttempt(workspaceId: WorkspaceId, stateHash: string, sessionHash: string, now: Date): Promise<boolean> {
  const { count } = await prisma().authorizationAttempt.updateMany({
    where: { stateHash, workspaceId, sessionHash, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  return count === 1;
}

/** Returns the connection of the session's newest open attempt. */
export async function findAwaitedConnection(workspaceId: WorkspaceId, sessionHash: string, now: Date): Promise<ConnectionId | null> {
  const row = await prisma().authorizationAttempt.findFirst({
    where: { workspaceId, sessionHash, usedAt: null, expiresAt: { gt: now } },
    orderBy: { createdAt: "desc" },
    select: { connectionId: true },
  });
  return row && toConnectionId.parse(row.connectionId);
}

export async function deleteOldAttempts(before: Date): Promise<number> {
  return (await prisma().authorizationAttempt.deleteMany({ where: { expiresAt: { lt: before } } })).count;
}

/** `created`: the platform's clock, Unix seconds. */
export type ToldEvent = { workspaceId: WorkspaceId; eventId: string; created: number; notice: IntegrationNotice };

type Linked = Candidate & { connectedAt: Date | null; hasRefreshToken: boolean };

/** The platform's clock may be behind ours by this much. */
const CLOCK_SKEW_MS = 120_000;

const HISTORY: Record<IntegrationNotice["kind"], HistoryKind> = {
  connected: "platform_connected",
  refreshed: "platform_refreshed",
  error: "platform_error",
  disconnected: "platform_disconnected",
};

/** Lists connections with tokens: those that an event may concern. */
const listLinked = (client: pg.ClientBase, workspaceId: WorkspaceId): Promise<Linked[]> =>
  queryRows<Linked>(
    client,
    `SELECT c.id, c.account, c.integration_id AS "integrationId", c.connected_at AS "connectedAt",
            (t.refresh_sealed IS NOT NULL) AS "hasRefreshToken"
       FROM connections c JOIN connection_tokens t ON t.connection_id = c.id WHERE c.workspace_id = $1 LIMIT 200`,
    [workspaceId],
  );

/** `linked`: it holds tokens. */
export type LinkCandidate = Candidate & { name: string; linked: boolean };

export async function listLinkCandidates(workspaceId: WorkspaceId): Promise<LinkCandidate[]> {
  const rows = await prisma().connection.findMany({
    where: { workspaceId },
    orderBy: { createdAt: "desc" },
    take: 200,
    select: { id: true, name: true, account: true, integrationId: true, tokens: { select: { connectionId: true } } },
  });
  return rows.map(({ tokens, ...connection }) => ({ ...connection, linked: tokens !== null }));
}

/** Returns the workspace's connection with tokens if it is the only one. */
export async function findOnlyConnection(workspaceId: WorkspaceId): Promise<string | null> {
  const rows = await prisma().connectionTokens.findMany({ where: { workspaceId }, take: 2, select: { connectionId: true } });
  return rows.length === 1 ? (rows[0]?.connectionId ?? null) : null;
}

/** Applies notices to their connections, in the events' transaction; each is recorded once. @returns how many were new */
export async function noteNotices(client: pg.ClientBase, events: ToldEvent[], now: Date): Promise<number> {
  const linked = new Map<WorkspaceId, Linked[]>();
  for (const { workspaceId } of events) if (!linked.has(workspaceId)) linked.set(workspaceId, await listLinked(client, workspaceId));
  const told = events.flatMap((event) => {
    const connection = chooseConnection(linked.get(event.workspaceId) ?? [], event.notice);
    return connection ? [{ event, connection }] : [];
  });
  // One order of locks, so that two workers can't deadlock.
  told.sort((one, other) => (one.connection.id < other.connection.id ? -1 : 1));
  let fresh = 0;
  for (const { event, connection } of told) if (await note(client, event, connection, now)) fresh += 1;
  return fresh;
}

async function note(client: pg.ClientBase, event: ToldEvent, connection: Linked, now: Date): Promise<boolean> {
  const { workspaceId, eventId, notice, created } = event;
  await client.query("SELECT 1 FROM connections WHERE workspace_id = $1 AND id = $2 FOR UPDATE", [workspaceId, connection.id]);
  const entry = { kind: HISTORY[notice.kind], detail: notice.words, actor: null, at: now, eventId };
  if (!(await appendHistory(client, workspaceId, connection.id, entry))) return false;
  // A notice about an earlier grant only goes into the timeline.
  const stale = connection.connectedAt !== null && created * 1000 < connection.connectedAt.getTime() - CLOCK_SKEW_MS;
  if (!stale) await EFFECTS[notice.kind](client, event, connection, now);
  return true;
}

type Effect = (client: pg.ClientBase, event: ToldEvent, connection: Linked, now: Date) => Promise<unknown>;

/** Of a grant: an integration that connects later, without the grant's ID, is another. ASSUMPTION: docs/platform.md shows no data of the event. */
const NAMES_WITHIN_MS = 10 * 60_000;

const EFFECTS: Record<IntegrationNotice["kind"], Effect> = {
  // Names a connection whose token answer named no account, and which nobody has named. The first one counts.
  connected: async (client, { workspaceId, notice, created }, { id, integrationId, connectedAt }) => {
    const account = notice.account === null ? "" : plainText(notice.account).slice(0, 200);
    if (account === "" || (integrationId === null && !isNear(created, connectedAt))) return;
    await client.query(
      `UPDATE connections SET name = $3
        WHERE workspace_id = $1 AND id = $2 AND NOT name_given AND account IS NULL AND name ~ '^Account [0-9]+$'`,
      [workspaceId, id, account],
    );
  },
  // The platform can renew again: no need to wait longer.
  refreshed: (client, { workspaceId }, { id }) =>
    client.query(`UPDATE connections SET next_refresh_at = ${DUE_NOW} WHERE workspace_id = $1 AND id = $2 AND state = 'retrying'`, [
      workspaceId,
      id,
    ]),
  // A connection with trouble of its own keeps that: it says more.
  error: (client, { workspaceId, notice }, { id }, now) =>
    client.query(
      `UPDATE connections SET problem_code = 'integration_error', problem_detail = $3, problem_at = $4
        WHERE workspace_id = $1 AND id = $2 AND state IN ('connected', 'expiring')`,
      [workspaceId, id, notice.words, now],
    ),
  // Only the token endpoint knows whether access is gone, so it is asked at once.
  disconnected: (client, { workspaceId, notice }, { id, hasRefreshToken }, now) =>
    client.query(
      `UPDATE connections SET problem_code = 'revoked_at_platform', problem_detail = $3, problem_at = $4,
              state = CASE WHEN $5 THEN $6 ELSE state END, next_refresh_at = CASE WHEN $5 THEN now() ELSE next_refresh_at END
        WHERE workspace_id = $1 AND id = $2 AND state = ANY($7)`,
      [workspaceId, id, notice.words, now, hasRefreshToken, nextState("connected", "doubted"), statesThatAllow("doubted")],
    ),
};

const isNear = (created: number, connectedAt: Date | null): boolean =>
  connectedAt !== null && Math.abs(created * 1000 - connectedAt.getTime()) <= NAMES_WITHIN_MS;
