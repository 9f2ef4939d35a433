import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { keyOfSql } from "#lib/db/log/key-sql";
import { waitingPlacesSql } from "#lib/db/log/waiting-sql";

const MOVE = ["task_id", "pipeline_id", "from_stage", "stage", "creates", "at"];
const tuple = (table: string) => `(${MOVE.map((name) => `${table}.${name}`).join(", ")})`;

export async function createMoveShadow(client: pg.PoolClient): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE task_moves_shadow (LIKE task_moves INCLUDING DEFAULTS, PRIMARY KEY (event_id));
    CREATE TEMP TABLE task_moves_differing (event_id text PRIMARY KEY, live boolean, rebuilt boolean)`);
}

/** `carried`: moves kept although the log no longer holds their events. */
export type ComparedMoves = { live: number; rebuilt: number; missing: number; surplus: number; different: number; carried: number };

/** Compares live and shadow moves. Waiting events make no difference, nor does a move whose event has left the log (no key). */
export async function compareMoves(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<ComparedMoves> {
  await client.query("ANALYZE task_moves_shadow; DELETE FROM task_moves_differing");
  await client.query(
    `INSERT INTO task_moves_differing (event_id, live, rebuilt)
     SELECT coalesce(m.event_id, s.event_id), m.event_id IS NOT NULL, s.event_id IS NOT NULL
     FROM (SELECT * FROM task_moves WHERE workspace_id = $1) m FULL JOIN task_moves_shadow s ON s.event_id = m.event_id
     WHERE m.event_id IS NULL OR s.event_id IS NULL OR ${tuple("m")} IS DISTINCT FROM ${tuple("s")}`,
    [workspaceId],
  );
  await client.query(
    `DELETE FROM task_moves_differing d USING ${waitingPlacesSql("$1")} w JOIN events e ON e.received_at = w.received_at AND e.seq = w.seq
     WHERE e.workspace_id = $1 AND d.event_id = e.event_id AND NOT d.live`,
    [workspaceId],
  );
  const { rowCount: carried } = await client.query(
    `DELETE FROM task_moves_differing d USING task_moves m WHERE m.workspace_id = $1 AND m.event_id = d.event_id AND NOT d.rebuilt
       AND NOT EXISTS (SELECT 1 FROM event_keys k JOIN events e ON e.received_at = k.received_at AND e.seq = k.seq
         WHERE ${keyOfSql("k", "$1")} AND k.event_id = d.event_id)`,
    [workspaceId],
  );
  return { ...(await count(client, workspaceId)), carried: carried ?? 0 };
}

async function count(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<Omit<ComparedMoves, "carried">> {
  const { rows } = await client.query<Omit<ComparedMoves, "carried">>(
    `SELECT (SELECT count(*) FROM task_moves WHERE workspace_id = $1) AS live, (SELECT count(*) FROM task_moves_shadow) AS rebuilt,
       count(*) FILTER (WHERE NOT d.live) AS missing, count(*) FILTER (WHERE NOT d.rebuilt) AS surplus,
       count(*) FILTER (WHERE d.live AND d.rebuilt) AS different FROM task_moves_differing d`,
    [workspaceId],
  );
  return rows[0] ?? { live: 0, rebuilt: 0, missing: 0, surplus: 0, different: 0 };
}

/** Replaces differing moves, and marks their tasks as changed, so that missing events are evaluated again. */
export async function writeDifferingMoves(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<void> {
  await client.query(
    `WITH written AS (
       INSERT INTO task_moves (workspace_id, event_id, ${MOVE.join(", ")})
       SELECT $1, s.event_id, ${MOVE.map((name) => `s.${name}`).join(", ")} FROM task_moves_shadow s JOIN task_moves_differing d USING (event_id)
       ON CONFLICT (workspace_id, event_id) DO UPDATE SET ${MOVE.map((name) => `${name} = EXCLUDED.${name}`).join(", ")} RETURNING task_id),
     removed AS (
       DELETE FROM task_moves m USING task_moves_differing d WHERE m.workspace_id = $1 AND m.event_id = d.event_id AND NOT d.rebuilt
       RETURNING m.task_id)
     UPDATE views SET updated_at = now() WHERE workspace_id = $1 AND kind = 'task'
       AND id IN (SELECT task_id FROM written UNION ALL SELECT task_id FROM removed)`,
    [workspaceId],
  );
}
