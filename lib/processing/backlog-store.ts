import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { queryWithin } from "#lib/db/query-within";

export type Backlog = {
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
export type WorkspaceLag = { workspaceId: WorkspaceId; waiting: number; lagSeconds: number };

const COUNTED = 1001;

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
