import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { pool } from "#lib/db/pool";
import { bodiesWithinBytes } from "#lib/db/within-bytes";
import { findPositions, listPositions } from "./position-store.ts";

export type NewestEvent = {
  sourceId: string;
  eventId: string;
  type: string;
  created: number;
  receivedAt: Date;
  body: Buffer;
  headers: Record<string, string>;
};

/** Number of the workspace's newest events among which a source's are looked for. */
const LOOKED_AT = 20_000;

type Which = { sourceId: SourceId; type?: string | undefined };

/** Lists a source's newest events, of one type or of all: at most `limit`, and 16 MB of bodies. */
export async function listNewestOf(workspaceId: WorkspaceId, { sourceId, type }: Which, limit: number): Promise<NewestEvent[]> {
  const { rows } = await pool().query<NewestEvent>(
    bodiesWithinBytes(
      `SELECT source_id AS "sourceId", event_id AS "eventId", type, created, received_at AS "receivedAt", body, headers, -row_number() OVER () AS place
       FROM (SELECT source_id, event_id, type, created, received_at, body, headers FROM events
              WHERE workspace_id = $1 AND ($3::text IS NULL OR type = $3) ORDER BY received_at DESC, seq DESC LIMIT ${LOOKED_AT}) newest
       WHERE source_id = $2 LIMIT $4`,
      "place DESC",
    ),
    [workspaceId, sourceId, type ?? null, limit],
  );
  return rows;
}

export type NewestOf = { limit: number; now: Date };

/** Lists the newest events that match a filter: at most `limit`, and 16 MB of bodies. */
export const listMatching = async (workspaceId: WorkspaceId, filter: EventFilter, { limit, now }: NewestOf): Promise<NewestEvent[]> =>
  readAt(await listPositions(workspaceId, filter, limit, now));

export const listByIds = async (workspaceId: WorkspaceId, eventIds: string[]): Promise<NewestEvent[]> =>
  readAt(await findPositions(workspaceId, eventIds));

async function readAt(positions: { receivedAt: Date; seq: number }[]): Promise<NewestEvent[]> {
  const { rows } = await pool().query<NewestEvent>(
    bodiesWithinBytes(
      `SELECT e.source_id AS "sourceId", e.event_id AS "eventId", e.type, e.created, e.received_at AS "receivedAt", e.body, e.headers, e.seq
       FROM unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq) JOIN events e ON e.received_at = u.at AND e.seq = u.seq`,
      '"receivedAt" DESC, seq DESC',
    ),
    [positions.map(({ receivedAt }) => receivedAt.toISOString()), positions.map(({ seq }) => seq)],
  );
  return rows;
}

export async function listNewestTypes(workspaceId: WorkspaceId, sourceId: SourceId): Promise<string[]> {
  const { rows } = await pool().query<{ type: string }>(
    `SELECT DISTINCT type FROM (SELECT type, source_id FROM events WHERE workspace_id = $1 ORDER BY received_at DESC, seq DESC LIMIT ${LOOKED_AT}) newest
     WHERE source_id = $2 ORDER BY type LIMIT 200`,
    [workspaceId, sourceId],
  );
  return rows.map(({ type }) => type);
}

/** Numbers of events and commits in the second before the newest event, whose `seq` tells one reading from the next. */
export type NewestCommits = { seq: number | null; events: number; commits: number };

/** Looks at no more than the newest 64 events of all workspaces. */
export async function readNewestCommits(): Promise<NewestCommits> {
  const { rows } = await pool("worker").query<NewestCommits>({
    name: "newest-commits",
    text: `WITH newest AS MATERIALIZED (SELECT received_at, seq, xid FROM events ORDER BY received_at DESC, seq DESC LIMIT 64)
      SELECT max(seq) AS seq, count(*) AS events, count(DISTINCT xid) AS commits FROM newest
      WHERE received_at > (SELECT max(received_at) FROM newest) - INTERVAL '1 second'`,
  });
  return rows[0] ?? { seq: null, events: 0, commits: 0 };
}
