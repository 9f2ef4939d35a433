import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { prisma } from "#lib/db/prisma";
import { type Candidate, chooseConnection, type IntegrationNotice } from "#lib/platform/platform-reports";
import { nextState, statesThatAllow } from "./connection-state.ts";
import { appendHistory, type HistoryKind } from "./connection-store.ts";

/** `created`: the platform's clock, Unix seconds. */
export type ToldEvent = { workspaceId: WorkspaceId; eventId: string; created: number; notice: IntegrationNotice };

type Linked = Candidate & { connectedAt: Date | null; hasRefreshToken: boolean };

/** The platform's clock may be behind ours by this much. */
const CLOCK_SKEW_MS = 120_000;

const HISTORY: Record<IntegrationNotice["kind"], HistoryKind> = {
  refreshed: "platform_refreshed",
  error: "platform_error",
  disconnected: "platform_disconnected",
};

/** Lists connections with tokens: those that an event may concern. */
async function listLinked(client: pg.ClientBase, workspaceId: WorkspaceId): Promise<Linked[]> {
  const { rows } = await client.query<Linked>(
    `SELECT c.id, c.account, c.integration_id AS "integrationId", c.connected_at AS "connectedAt",
            (t.refresh_sealed IS NOT NULL) AS "hasRefreshToken"
       FROM connections c JOIN connection_tokens t ON t.connection_id = c.id WHERE c.workspace_id = $1 LIMIT 200`,
    [workspaceId],
  );
  return rows;
}

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

const EFFECTS: Record<IntegrationNotice["kind"], Effect> = {
  // The platform can renew again: no need to wait longer.
  refreshed: (client, { workspaceId }, { id }) =>
    client.query("UPDATE connections SET next_refresh_at = now() WHERE workspace_id = $1 AND id = $2 AND state = 'retrying'", [
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
