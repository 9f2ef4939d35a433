import type { WorkspaceId } from "#lib/contracts/ids";
import type { ViewRecord } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { recordOf } from "./fold.ts";
import type { Registers } from "./register.ts";

/** How many of a pipeline's tasks stand on a stage in a state; the stage is null for those without one. */
export type StageCount = { stage: string | null; state: string; count: number };

/** Counted in the board's index alone, every one of them. */
export async function countByStage(workspaceId: WorkspaceId, pipelineId: string): Promise<StageCount[]> {
  const { rows } = await pool().query<StageCount>(
    `SELECT stage, state, count(*) AS count FROM views
      WHERE workspace_id = $1 AND kind = 'task' AND parent = $2 GROUP BY stage, state`,
    [workspaceId, pipelineId],
  );
  return rows;
}

/** The newest tasks of each of these stages and states: one short walk down the board's index for each. */
export async function listNewestOnStages(
  workspaceId: WorkspaceId,
  pipelineId: string,
  places: { stage: string | null; state: string; max: number }[],
): Promise<ViewRecord[]> {
  if (places.length === 0) return [];
  const { rows } = await pool().query<{ id: string; registers: Registers }>(
    `SELECT t.id, t.registers FROM unnest($3::text[], $4::text[], $5::int[]) AS p(stage, state, max) CROSS JOIN LATERAL (
       (SELECT id, registers, last_created FROM views WHERE p.stage IS NOT NULL AND workspace_id = $1 AND kind = 'task' AND parent = $2
           AND stage = p.stage AND state = p.state ORDER BY last_created DESC LIMIT p.max)
       UNION ALL
       (SELECT id, registers, last_created FROM views WHERE p.stage IS NULL AND workspace_id = $1 AND kind = 'task' AND parent = $2
           AND stage IS NULL AND state = p.state ORDER BY last_created DESC LIMIT p.max)) t
     ORDER BY t.last_created DESC, t.id`,
    [workspaceId, pipelineId, places.map(({ stage }) => stage), places.map(({ state }) => state), places.map(({ max }) => max)],
  );
  return rows.map(({ id, registers }) => recordOf("task", id, registers));
}

/**
 * When the tasks of a pipeline were completed that were completed since then.
 *
 * @param since Unix seconds
 * @returns Unix hour -> how many
 */
export async function countCompletedByHour(workspaceId: WorkspaceId, pipelineId: string, since: number): Promise<Map<number, number>> {
  const { rows } = await pool().query<{ hour: number; count: number }>(
    `SELECT (registers->'completedAt'->>'at')::bigint / 3600 AS hour, count(*) AS count FROM views
      WHERE workspace_id = $1 AND kind = 'task' AND parent = $2 AND state = 'completed' AND last_created >= $3
        AND (registers->'completedAt'->>'at')::bigint >= $3 GROUP BY 1`,
    [workspaceId, pipelineId, since],
  );
  return new Map(rows.map(({ hour, count }) => [hour, count]));
}
