import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewRecord } from "#lib/contracts/views";
import { cappedCount } from "#lib/db/capped-count";
import { pool } from "#lib/db/pool";
import { DEFINITIONS } from "./definition/definitions.ts";
import type { Registers } from "./fold/register.ts";
import { storedRecordOf } from "./stored-record.ts";

export type StageCount = { stage: string | null; state: string; count: number };

/** States of a task: each is a short walk of its own in the board's index. */
const STATES = [...new Set(["unknown", ...Object.values(DEFINITIONS.task.types).flatMap(({ state }) => state ?? [])])];
const MAX_STAGES = 500;
const OF_PIPELINE = "workspace_id = $1 AND kind = 'task' AND parent = $2";

/** Counts tasks by stage and state, up to 1,001. Hops through the board's index: a hundred thousand tasks cost the same as a thousand. */
export async function countByStage(workspaceId: WorkspaceId, pipelineId: string): Promise<StageCount[]> {
  const counted = (stage: string) => cappedCount(`SELECT 1 FROM views WHERE ${OF_PIPELINE} AND stage ${stage} AND state = s.state`);
  const { rows } = await pool().query<StageCount>(
    `WITH RECURSIVE hop AS (
       (SELECT stage, 1 AS n FROM views WHERE ${OF_PIPELINE} AND stage IS NOT NULL ORDER BY stage LIMIT 1)
       UNION ALL
       SELECT (SELECT v.stage FROM views v WHERE ${OF_PIPELINE} AND v.stage > hop.stage ORDER BY v.stage LIMIT 1), n + 1
         FROM hop WHERE hop.stage IS NOT NULL AND n < ${MAX_STAGES})
     SELECT hop.stage, s.state, c.n AS count FROM hop, unnest($3::text[]) AS s(state), LATERAL (${counted("= hop.stage")}) c
      WHERE hop.stage IS NOT NULL AND c.n > 0
     UNION ALL
     SELECT NULL, s.state, c.n AS count FROM unnest($3::text[]) AS s(state), LATERAL (${counted("IS NULL")}) c WHERE c.n > 0`,
    [workspaceId, pipelineId, STATES],
  );
  return rows;
}

/** Lists the newest tasks of these stages and states: one short walk down the board's index for each. */
export async function listNewestOnStages(
  workspaceId: WorkspaceId,
  pipelineId: string,
  places: { stage: string | null; state: string; max: number }[],
): Promise<ViewRecord[]> {
  if (places.length === 0) return [];
  const { rows } = await pool().query<{ id: string; registers: Registers }>(
    `SELECT t.id, t.registers FROM unnest($3::text[], $4::text[], $5::int[]) AS p(stage, state, max) CROSS JOIN LATERAL (
       (SELECT id, registers, last_created FROM views WHERE p.stage IS NOT NULL AND ${OF_PIPELINE}
           AND stage = p.stage AND state = p.state ORDER BY last_created DESC LIMIT p.max)
       UNION ALL
       (SELECT id, registers, last_created FROM views WHERE p.stage IS NULL AND ${OF_PIPELINE}
           AND stage IS NULL AND state = p.state ORDER BY last_created DESC LIMIT p.max)) t
     ORDER BY t.last_created DESC, t.id`,
    [workspaceId, pipelineId, places.map(({ stage }) => stage), places.map(({ state }) => state), places.map(({ max }) => max)],
  );
  return rows.map(({ id, registers }) => storedRecordOf("task", id, registers));
}

/** Counts completed tasks by the beginning of their step. `since` and steps in Unix seconds. */
export async function countCompleted(
  workspaceId: WorkspaceId,
  pipelineId: string,
  { since, step }: { since: number; step: number },
): Promise<Map<number, number>> {
  const { rows } = await pool().query<{ at: number; count: number }>(
    `SELECT (registers->'completedAt'->>'at')::bigint / $4 * $4 AS at, count(*) AS count FROM views
      WHERE ${OF_PIPELINE} AND state = 'completed' AND last_created >= $3
        AND (registers->'completedAt'->>'at')::bigint >= $3 GROUP BY 1`,
    [workspaceId, pipelineId, since, step],
  );
  return new Map(rows.map(({ at, count }) => [at, count]));
}
