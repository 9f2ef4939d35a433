import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { queryWithin } from "#lib/db/query-within";

/** Waiting and dead deliveries of the whole installation, for those who run it. */
export type Backlog = {
  /** Of a workspace's log 100,000 at most are counted. */
  waiting: number;
  /** Seconds that the delivery which is due the longest has been due; 0 when none is. */
  lagSeconds: number;
  deadLetters: number;
};

/** A scrape waits no longer for it. Milliseconds. */
const MEASURE_LIMIT_MS = 1000;
/** In a workspace no more are counted. */
const MAX_WAITING = 100_000;

/**
 * Measures what waits in log and inbox, and the dead letters of all workspaces together.
 *
 * @returns null when the database did not come to an end within a second
 */
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

/** Waiting events of one workspace: their number, at most 1,001 counted, and for how many seconds the oldest has been due. */
export type WorkspaceLag = { workspaceId: WorkspaceId; waiting: number; lagSeconds: number };

const COUNTED = 1001;

/** The workspaces in which something has been due for at least so many seconds. */
export async function listLagging(seconds: number): Promise<WorkspaceLag[]> {
  const { rows } = await pool().query<WorkspaceLag>(
    `SELECT p.workspace_id AS "workspaceId", t.n AS waiting, extract(epoch FROM now() - t.since)::float8 AS "lagSeconds"
     FROM (SELECT workspace_id FROM log_places UNION SELECT workspace_id FROM inbox) p CROSS JOIN LATERAL (
       SELECT count(*) AS n, min(since) AS since FROM (
         (SELECT i.due_at AS since FROM inbox i WHERE i.workspace_id = p.workspace_id AND i.due_at <= now() ORDER BY i.due_at LIMIT ${COUNTED})
         UNION ALL SELECT l.received_at FROM waiting_in_log(p.workspace_id, ${COUNTED}) l) w) t
     WHERE t.since <= now() - make_interval(secs => $1)`,
    [seconds],
  );
  return rows;
}
