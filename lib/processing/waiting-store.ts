import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { notEndedSql } from "#lib/db/log/waiting-sql";
import { bodiesWithinBytes } from "#lib/db/within-bytes";

export type WaitingEvent = { receivedAt: Date; sourceId: string; eventId: string; type: string; created: number; body: Buffer };

/** Yields a workspace's waiting events in pages of at most 16 MB, without a claim. One that is also re-delivered comes twice. */
export async function* listWaiting(client: pg.PoolClient, workspaceId: WorkspaceId, limit: number): AsyncGenerator<WaitingEvent[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: InInbox[] = await readInbox(client, workspaceId, after, limit);
    if (page.length > 0) yield page.map(waitingOf);
    after = page.at(-1)?.id;
  }
  for (let after = await findFirstPlace(client, workspaceId); after !== undefined; ) {
    const page: InLog[] = await readLog(client, workspaceId, after, limit);
    if (page.length > 0) yield page.map(waitingOf);
    after = page.at(-1);
  }
}

type Row = { received_at: Date; source_id: string; event_id: string; type: string; created: number; body: Buffer };
type Place = { xid: string; seq: number };
type InInbox = Row & { id: number };
type InLog = Row & Place;

const waitingOf = ({ received_at, source_id, event_id, type, created, body }: Row): WaitingEvent => ({
  receivedAt: received_at,
  sourceId: source_id,
  eventId: event_id,
  type,
  created,
  body,
});

async function readInbox(client: pg.PoolClient, workspaceId: WorkspaceId, after: number, limit: number): Promise<InInbox[]> {
  const { rows } = await client.query<InInbox>(
    bodiesWithinBytes(
      `SELECT i.id, e.received_at, e.source_id, e.event_id, e.type, e.created, e.body FROM inbox i JOIN events e USING (received_at, seq)
       WHERE i.workspace_id = $1 AND i.id > $2 ORDER BY i.id LIMIT $3`,
      "id",
    ),
    [workspaceId, after, limit],
  );
  return rows;
}

/** Returns the beginning of the oldest unfinished range, or else of the unclaimed log. */
async function findFirstPlace(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<Place | undefined> {
  const { rows } = await client.query<Place>(
    `SELECT xid::text AS xid, seq FROM (
       SELECT from_xid AS xid, from_seq AS seq FROM log_ranges WHERE workspace_id = $1 AND ended_at IS NULL
       UNION ALL SELECT xid, seq FROM log_places WHERE workspace_id = $1) p ORDER BY p.xid, p.seq LIMIT 1`,
    [workspaceId],
  );
  return rows[0];
}

async function readLog(client: pg.PoolClient, workspaceId: WorkspaceId, { xid, seq }: Place, limit: number): Promise<InLog[]> {
  const { rows } = await client.query<InLog>(
    bodiesWithinBytes(
      `SELECT e.xid::text AS xid, e.seq, e.received_at, e.source_id, e.event_id, e.type, e.created, e.body FROM events e
       WHERE e.workspace_id = $1 AND (e.xid, e.seq) > ($2::text::xid8, $3::bigint) AND ${notEndedSql("e")}
       ORDER BY e.xid, e.seq LIMIT $4`,
      "xid::xid8, seq",
    ),
    [workspaceId, xid, seq, limit],
  );
  return rows;
}
