import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { bodiesWithinBytes } from "#lib/db/bounded-query";
import { arraysOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import { queryRow, queryRows, queryValues } from "#lib/db/rows";
import { keyOfSql } from "#lib/db/sql";
import { filterSql } from "#lib/events/search/filter-sql";
import { withTypesOfLog } from "#lib/events/search/log-types-store";
import { parseFilter } from "#lib/events/search/query";
import { isWalkedWhole } from "#lib/events/search/strategy-store";

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
export const listNewestOf = (workspaceId: WorkspaceId, { sourceId, type }: Which, limit: number): Promise<NewestEvent[]> =>
  queryRows<NewestEvent>(
    pool(),
    bodiesWithinBytes(
      `SELECT source_id AS "sourceId", event_id AS "eventId", type, created, received_at AS "receivedAt", body, headers, -row_number() OVER () AS place
       FROM (SELECT source_id, event_id, type, created, received_at, body, headers FROM events
              WHERE workspace_id = $1 AND ($3::text IS NULL OR type = $3) ORDER BY received_at DESC, seq DESC LIMIT ${LOOKED_AT}) newest
       WHERE source_id = $2 LIMIT $4`,
      "place DESC",
    ),
    [workspaceId, sourceId, type ?? null, limit],
  );

type NewestOf = { limit: number; now: Date };

/** Lists the newest events that match a filter: at most `limit`, and 16 MB of bodies. */
export const listMatching = async (workspaceId: WorkspaceId, filter: EventFilter, { limit, now }: NewestOf): Promise<NewestEvent[]> =>
  readAt(await listPositions(workspaceId, filter, limit, now));

/** Lists as `listMatching` does, and counts all that match, up to `counted`. */
export async function listAndCount(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  { limit, counted, now }: NewestOf & { counted: number },
): Promise<{ events: NewestEvent[]; total: number }> {
  const positions = await listPositions(workspaceId, filter, counted, now);
  return { events: await readAt(positions.slice(0, limit)), total: positions.length };
}

export const listByIds = async (workspaceId: WorkspaceId, eventIds: string[]): Promise<NewestEvent[]> =>
  readAt(await findPositions(workspaceId, eventIds));

const readAt = (positions: { receivedAt: Date; seq: number }[]): Promise<NewestEvent[]> =>
  queryRows<NewestEvent>(
    pool(),
    bodiesWithinBytes(
      `SELECT e.source_id AS "sourceId", e.event_id AS "eventId", e.type, e.created, e.received_at AS "receivedAt", e.body, e.headers, e.seq
       FROM unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq) JOIN events e ON e.received_at = u.at AND e.seq = u.seq`,
      '"receivedAt" DESC, seq DESC',
    ),
    arraysOf(positions, "receivedAt", "seq"),
  );

export const listNewestTypes = (workspaceId: WorkspaceId, sourceId: SourceId): Promise<string[]> =>
  queryValues<{ type: string }>(
    pool(),
    `SELECT DISTINCT type FROM (SELECT type, source_id FROM events WHERE workspace_id = $1 ORDER BY received_at DESC, seq DESC LIMIT ${LOOKED_AT}) newest
     WHERE source_id = $2 ORDER BY type LIMIT 200`,
    [workspaceId, sourceId],
  );

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

type Position = { receivedAt: Date; seq: number };

/** Returns the places of the newest `max` events that match, for bulk re-delivery. */
export async function listPositions(workspaceId: WorkspaceId, filter: EventFilter, max: number, now: Date): Promise<Position[]> {
  const parsed = await withTypesOfLog(workspaceId, parseFilter(filter));
  const { driver, where, bound } = filterSql(workspaceId, parsed, now, { walk: await isWalkedWhole(workspaceId, parsed, now) });
  const from = "events e JOIN sources s ON s.id = e.source_id";
  const conditions = where.join(" AND ");
  const text = driver
    ? `SELECT p.received_at AS "receivedAt", p.seq FROM (${driver}) p CROSS JOIN LATERAL (SELECT 1 FROM ${from}
        WHERE e.received_at = p.received_at AND e.seq = p.seq AND ${conditions} OFFSET 0) x ORDER BY p.received_at DESC, p.seq DESC LIMIT ${max}`
    : `SELECT e.received_at AS "receivedAt", e.seq FROM ${from} WHERE ${conditions} ORDER BY e.received_at DESC, e.seq DESC LIMIT ${max}`;
  return positionsOf(text, bound.values);
}

export async function findPositions(workspaceId: WorkspaceId, eventIds: string[]): Promise<Position[]> {
  return positionsOf(
    `SELECT k.received_at AS "receivedAt", k.seq FROM event_keys k WHERE ${keyOfSql("k", "$1")} AND k.event_id = ANY($2::text[])`,
    [workspaceId, eventIds],
  );
}

const positionsOf = (text: string, values: unknown[]): Promise<Position[]> => queryRows<Position>(pool(), text, values);

export type SizedEvent = Position & { bytes: number };

/** Bytes of bodies in memory at a time. */
export const SLICE_BYTES = 4 * 1_048_576;

/** Cuts events into pieces of at most `SLICE_BYTES` of bodies; a larger event is a piece of its own. */
export function slicesOf<E extends SizedEvent>(events: E[]): E[][] {
  const slices: E[][] = [];
  let left = 0;
  for (const event of events) {
    if (slices.length === 0 || event.bytes > left) {
      slices.push([]);
      left = SLICE_BYTES;
    }
    slices.at(-1)?.push(event);
    left -= event.bytes;
  }
  return slices;
}

/** Returns bodies by sequence number; events that have left the log meanwhile are missing. */
export async function findBodies(events: SizedEvent[]): Promise<Map<number, Buffer>> {
  if (events.length === 0) return new Map();
  const { rows } = await pool().query<{ seq: number; body: Buffer }>(
    `SELECT e.seq, e.body FROM unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq)
     JOIN events e ON e.received_at = u.at AND e.seq = u.seq`,
    arraysOf(events, "receivedAt", "seq"),
  );
  return new Map(rows.map(({ seq, body }) => [seq, body]));
}

export type ReceivedEvent = { eventId: string; type: string; sourceId: string; headers: Record<string, string>; body: Buffer };

/** Returns an event with its request's headers, the signature among them; null when it has left the log. */
export const findReceived = (workspaceId: WorkspaceId, { receivedAt, seq }: Position): Promise<ReceivedEvent | null> =>
  queryRow<ReceivedEvent>(
    pool(),
    `SELECT event_id AS "eventId", type, source_id AS "sourceId", headers, body FROM events
     WHERE workspace_id = $1 AND received_at = $2 AND seq = $3`,
    [workspaceId, receivedAt.toISOString(), seq],
  );
