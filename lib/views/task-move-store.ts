import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";
import type { TaskMove } from "./task-moves.ts";

/** The moves themselves, or what a rebuild makes of the log. */
type MoveTable = "task_moves" | "task_moves_shadow";

/** Files moves; what is filed already stays, so a repeated delivery changes nothing. */
export async function insertTaskMoves(client: pg.PoolClient, moves: TaskMove[], table: MoveTable = "task_moves"): Promise<void> {
  if (moves.length === 0) return;
  await client.query({
    name: `${table}-insert`,
    text: `INSERT INTO ${table} (workspace_id, event_id, task_id, pipeline_id, from_stage, stage, creates, at)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::bigint[])
      ON CONFLICT DO NOTHING`,
    values: [
      moves.map((move) => move.workspaceId),
      moves.map((move) => move.eventId),
      moves.map((move) => move.taskId),
      moves.map((move) => move.pipelineId),
      moves.map((move) => move.fromStage),
      moves.map((move) => move.stage),
      moves.map((move) => move.creates),
      moves.map((move) => move.at),
    ],
  });
}

const MOST = 20_000;

/** The moves of these tasks, oldest first; at most 20,000. */
export async function listTaskMoves(workspaceId: WorkspaceId, taskIds: string[]): Promise<Map<string, TaskMove[]>> {
  const moves = new Map<string, TaskMove[]>();
  if (taskIds.length === 0) return moves;
  const { rows } = await pool("worker").query<TaskMove>(
    `SELECT workspace_id AS "workspaceId", event_id AS "eventId", task_id AS "taskId", pipeline_id AS "pipelineId",
            from_stage AS "fromStage", stage, creates, at
       FROM task_moves WHERE workspace_id = $1 AND task_id = ANY($2::text[]) ORDER BY at, event_id LIMIT ${MOST}`,
    [workspaceId, taskIds],
  );
  for (const move of rows) moves.set(move.taskId, [...(moves.get(move.taskId) ?? []), move]);
  return moves;
}

/**
 * How many tasks came to each stage of a pipeline, by hour.
 *
 * @param since Unix seconds
 * @returns one row for each stage and hour (Unix hours) that has any
 */
export async function countArrivals(
  workspaceId: WorkspaceId,
  pipelineId: string,
  since: number,
): Promise<{ stage: string; hour: number; count: number }[]> {
  const { rows } = await pool().query<{ stage: string; hour: number; count: number }>(
    `SELECT stage, at / 3600 AS hour, count(*) AS count FROM task_moves
      WHERE workspace_id = $1 AND pipeline_id = $2 AND at >= $3 AND stage IS NOT NULL GROUP BY 1, 2`,
    [workspaceId, pipelineId, since],
  );
  return rows;
}
