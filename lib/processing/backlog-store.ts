import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { bodiesWithinBytes, queryWithin } from "#lib/db/bounded-query";
import { pool } from "#lib/db/pool";
import { queryRow, queryRows } from "#lib/db/rows";
import { LOGGED_COLUMNS, type LoggedEvent, notEndedSql } from "#lib/db/sql";

export type DueWorkspace = { workspaceId: WorkspaceId; waiting: number };

/** Lists workspaces with first deliveries due. Steps through the index, so that a long queue costs no more than a short one. */
export const listDueWorkspaces = (countTo: number): Promise<DueWorkspace[]> =>
  queryRows<DueWorkspace>(
    pool("worker"),
    `WITH RECURSIVE w AS (
       (SELECT workspace_id FROM inbox ORDER BY workspace_id LIMIT 1)
       UNION ALL
       SELECT (SELECT i.workspace_id FROM inbox i WHERE i.workspace_id > w.workspace_id ORDER BY i.workspace_id LIMIT 1)
       FROM w WHERE w.workspace_id IS NOT NULL)
     SELECT w.workspace_id AS "workspaceId", d.waiting FROM w CROSS JOIN LATERAL (
       SELECT count(*) AS waiting FROM (
         SELECT 1 FROM inbox i WHERE i.workspace_id = w.workspace_id AND i.due_at <= now() AND i.attempts = 0 LIMIT $1) t) d
     WHERE w.workspace_id IS NOT NULL AND d.waiting > 0 ORDER BY w.workspace_id`,
    [countTo],
  );

type DueInLog = {
  due: DueWorkspace[];
  /** True if committed events of other workspaces lie beyond the horizon: they are due as soon as it has moved. */
  held: boolean;
};

/** Lists workspaces with events to hand out. Not by EXISTS: the planner expects a row soon, and reads the whole log where there is none. */
export async function listDueInLog(countTo: number): Promise<DueInLog> {
  const { rows } = await pool("worker").query<DueWorkspace>({
    name: "log-due",
    text: `SELECT p.workspace_id AS "workspaceId", n.waiting FROM log_places p CROSS JOIN LATERAL (
        SELECT count(*) AS waiting FROM (
          (SELECT 1 FROM events e WHERE e.workspace_id = p.workspace_id AND (e.xid, e.seq) > (p.xid, p.seq) AND e.xid < (SELECT log_horizon())
            ORDER BY e.xid, e.seq LIMIT $1)
          UNION ALL (SELECT 1 FROM log_ranges g WHERE g.workspace_id = p.workspace_id AND g.ended_at IS NULL AND g.state = 'waiting' LIMIT 1)) t) n
      WHERE n.waiting > 0
        OR (SELECT true FROM events e WHERE e.workspace_id = p.workspace_id AND (e.xid, e.seq) > (p.xid, p.seq) ORDER BY e.xid, e.seq LIMIT 1)
      ORDER BY p.workspace_id`,
    values: [countTo],
  });
  const due = rows.filter(({ waiting }) => waiting > 0);
  return { due, held: due.length < rows.length };
}

/** After this time the worker that applied a range has nothing more to do with its events. */
const SETTLED_AFTER = "interval '5 seconds'";

/** Returns the position of the first event that waits to be applied, or was until a few seconds ago; null when nothing waits. */
export const findSettledEnd = (client: pg.PoolClient): Promise<{ xid: string; seq: number } | null> =>
  queryRow<{ xid: string; seq: number }>(client, {
    name: "log-settled",
    text: `SELECT t.xid::text AS xid, t.seq FROM (
        SELECT e.xid, e.seq FROM log_ranges g CROSS JOIN LATERAL (
          SELECT e.xid, e.seq FROM events e WHERE e.workspace_id = g.workspace_id AND (e.xid, e.seq) > (g.from_xid, g.from_seq)
          ORDER BY e.xid, e.seq LIMIT 1) e
        WHERE g.ended_at IS NULL OR g.ended_at BETWEEN now() - ${SETTLED_AFTER} AND now()
        UNION ALL SELECT w.xid, w.seq FROM log_places p CROSS JOIN LATERAL waiting_in_log(p.workspace_id, 1) w) t
      ORDER BY t.xid, t.seq LIMIT 1`,
  });

/** Events looked at per log: it is in the order of commits, nearly that of receipt. */
const FIRST = 100;

type LogPicture = { at: Date; position: string; waiting: { workspaceId: WorkspaceId; since: Date }[] };

/** Reads all in one statement, so that events that don't wait were applied by transactions below the position. */
export async function readLogPicture(client: pg.ClientBase): Promise<LogPicture> {
  const { rows } = await client.query<{ at: Date; position: string; workspaceId: WorkspaceId | null; since: Date }>(
    `SELECT statement_timestamp() AS at, w."workspaceId", w.since, (pg_snapshot_xmax(pg_current_snapshot())::text::bigint
       + coalesce((SELECT c."offset" FROM log_clock c WHERE c.id = 1), 0))::text AS position
     FROM (SELECT 1) one LEFT JOIN (
       SELECT p.workspace_id AS "workspaceId", min(t.received_at) AS since FROM log_places p CROSS JOIN LATERAL (
         SELECT i.received_at FROM inbox i WHERE i.workspace_id = p.workspace_id AND i.redelivery_id IS NULL
         UNION ALL SELECT l.received_at FROM waiting_in_log(p.workspace_id, ${FIRST}) l) t
       GROUP BY p.workspace_id) w ON true`,
  );
  const [first] = rows;
  if (!first) throw new Error("the database has no time");
  return { ...first, waiting: rows.flatMap(({ workspaceId, since }) => (workspaceId ? [{ workspaceId, since }] : [])) };
}

/** Yields a workspace's waiting events in pages of at most 16 MB, without a claim. One that is also re-delivered comes twice. */
export async function* listWaiting(client: pg.PoolClient, workspaceId: WorkspaceId, limit: number): AsyncGenerator<LoggedEvent[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: InInbox[] = await readInbox(client, workspaceId, after, limit);
    if (page.length > 0) yield page;
    after = page.at(-1)?.id;
  }
  for (let after = await findFirstPlace(client, workspaceId); after !== undefined; ) {
    const page: InLog[] = await readLog(client, workspaceId, after, limit);
    if (page.length > 0) yield page;
    after = page.at(-1);
  }
}

type Place = { xid: string; seq: number };
type InInbox = LoggedEvent & { id: number };
type InLog = LoggedEvent & Place;

const readInbox = (client: pg.PoolClient, workspaceId: WorkspaceId, after: number, limit: number): Promise<InInbox[]> =>
  queryRows<InInbox>(
    client,
    bodiesWithinBytes(
      `SELECT i.id, ${LOGGED_COLUMNS} FROM inbox i JOIN events e USING (received_at, seq)
       WHERE i.workspace_id = $1 AND i.id > $2 ORDER BY i.id LIMIT $3`,
      "id",
    ),
    [workspaceId, after, limit],
  );

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

const readLog = (client: pg.PoolClient, workspaceId: WorkspaceId, { xid, seq }: Place, limit: number): Promise<InLog[]> =>
  queryRows<InLog>(
    client,
    bodiesWithinBytes(
      `SELECT e.xid::text AS xid, ${LOGGED_COLUMNS} FROM events e
       WHERE e.workspace_id = $1 AND (e.xid, e.seq) > ($2::text::xid8, $3::bigint) AND ${notEndedSql("e")}
       ORDER BY e.xid, e.seq LIMIT $4`,
      "xid::xid8, seq",
    ),
    [workspaceId, xid, seq, limit],
  );

type Backlog = {
  /** Counted up to 100,000 of each workspace's log. */
  waiting: number;
  /** Seconds that the longest due delivery has been due; 0 when none is. */
  lagSeconds: number;
  deadLetters: number;
};

/** A scrape doesn't wait longer. Milliseconds. */
const MEASURE_LIMIT_MS = 1000;
const MAX_WAITING = 100_000;

/** Measures all workspaces together; null when it took longer than a second. */
export async function measureBacklog(): Promise<Backlog | null> {
  const rows = await queryWithin<{ waiting: number; lag: number | null; dead: number }>(
    MEASURE_LIMIT_MS,
    `WITH in_log AS (SELECT l.received_at FROM log_places p CROSS JOIN LATERAL waiting_in_log(p.workspace_id, ${MAX_WAITING}) l)
     SELECT (SELECT count(*) FROM inbox) + (SELECT count(*) FROM in_log) AS waiting,
       (SELECT greatest(0, extract(epoch FROM now() - min(since)))::float8
         FROM (SELECT min(due_at) AS since FROM inbox WHERE due_at <= now() UNION ALL SELECT min(received_at) FROM in_log) t) AS lag,
       (SELECT count(*) FROM dead_letters) AS dead`,
    [],
  );
  if (rows === null) return null;
  const { waiting = 0, lag = null, dead = 0 } = rows[0] ?? {};
  return { waiting, lagSeconds: lag ?? 0, deadLetters: dead };
}

/** Waiting events, counted up to 1,001, and the seconds that the oldest has been due. */
type WorkspaceLag = { workspaceId: WorkspaceId; waiting: number; lagSeconds: number };

const COUNTED = 1001;

export const listLagging = (seconds: number): Promise<WorkspaceLag[]> =>
  queryRows<WorkspaceLag>(
    pool(),
    `SELECT p.workspace_id AS "workspaceId", t.n AS waiting, extract(epoch FROM now() - t.since)::float8 AS "lagSeconds"
     FROM (SELECT workspace_id FROM log_places UNION SELECT workspace_id FROM inbox) p CROSS JOIN LATERAL (
       SELECT count(*) AS n, min(since) AS since FROM (
         (SELECT i.due_at AS since FROM inbox i WHERE i.workspace_id = p.workspace_id AND i.due_at <= now() ORDER BY i.due_at LIMIT ${COUNTED})
         UNION ALL SELECT l.received_at FROM waiting_in_log(p.workspace_id, ${COUNTED}) l) w) t
     WHERE t.since <= now() - make_interval(secs => $1)`,
    [seconds],
  );
