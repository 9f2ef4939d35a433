import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { BOARD_COUNT_CAP, type BoardFilter } from "#lib/contracts/board-filters";
import type { ViewRecord } from "#lib/contracts/views";
import { cappedCount, queryWithin } from "#lib/db/bounded-query";
import { arraysOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import { queryRows } from "#lib/db/rows";
import { SqlValues } from "#lib/db/sql";
import { DEFINITIONS } from "./definitions.ts";
import type { TaskMove } from "./fold/fold.ts";
import type { Registers } from "./fold/register.ts";
import { storedRecordOf } from "./stored-record.ts";
import { viewConditions } from "./view-list-store.ts";

export type StageCount = { stage: string | null; state: string; count: number };

/** States of a task: each is a short walk of its own in the board's index. */
const STATES = [...new Set(["unknown", ...Object.values(DEFINITIONS.task.types).flatMap(({ state }) => state ?? [])])];
const MAX_STAGES = 500;
const OF_PIPELINE = "workspace_id = $1 AND kind = 'task' AND parent = $2";

type Matching = Omit<BoardFilter, "order">;

const matchingSql = (filter: Matching, bind: SqlValues["bind"]): string => [OF_PIPELINE, ...viewConditions(filter, bind)].join(" AND ");

/** Counts tasks by stage and state, up to 10,001. Hops through the board's index; without a filter that index alone is read. */
export async function countByStage(workspaceId: WorkspaceId, pipelineId: string, filter: Matching): Promise<StageCount[]> {
  const { values, bind } = new SqlValues(workspaceId, pipelineId, STATES);
  const matching = matchingSql(filter, bind);
  const counted = (stage: string) =>
    cappedCount(`SELECT 1 FROM views WHERE ${matching} AND stage ${stage} AND state = s.state`, BOARD_COUNT_CAP + 1);
  return queryRows<StageCount>(
    pool(),
    `WITH RECURSIVE hop AS (
       (SELECT stage, 1 AS n FROM views WHERE ${OF_PIPELINE} AND stage IS NOT NULL ORDER BY stage LIMIT 1)
       UNION ALL
       SELECT (SELECT v.stage FROM views v WHERE ${OF_PIPELINE} AND v.stage > hop.stage ORDER BY v.stage LIMIT 1), n + 1
         FROM hop WHERE hop.stage IS NOT NULL AND n < ${MAX_STAGES})
     SELECT hop.stage, s.state, c.n AS count FROM hop, unnest($3::text[]) AS s(state), LATERAL (${counted("= hop.stage")}) c
      WHERE hop.stage IS NOT NULL AND c.n > 0
     UNION ALL
     SELECT NULL, s.state, c.n AS count FROM unnest($3::text[]) AS s(state), LATERAL (${counted("IS NULL")}) c WHERE c.n > 0`,
    values,
  );
}

/** When a task came to its stage, Unix seconds; as `stageSince` of the board's cards. */
const STAGE_SINCE = ["stageSince", "createdAt", "stage"].map((field) => `(registers->'${field}'->>'at')::bigint`).join(", ");

/** Of each stage and state the tasks that waited longest are found among so many that have had no event for longest. */
const WAITING_LOOKED_AT = 1000;

/** The first of a place `p`; ranked, so that those of several places are in one order. */
function walkSql(matching: string, stage: string, order: BoardFilter["order"]): string {
  const rows = `SELECT id, registers, last_created FROM views WHERE ${matching} AND ${stage} AND state = p.state`;
  if (order === undefined) return `(SELECT *, -last_created AS rank FROM (${rows} ORDER BY last_created DESC LIMIT p.max) n)`;
  return `(SELECT *, coalesce(${STAGE_SINCE}, last_created) AS rank FROM (${rows} ORDER BY last_created LIMIT ${WAITING_LOOKED_AT}) w
            ORDER BY rank, id LIMIT p.max)`;
}

export type StagePlace = { stage: string | null; state: string; max: number };

/** Lists the newest tasks of these stages and states, or those longest in their stage: a short walk down the board's index for each. */
export async function listOnStages(
  workspaceId: WorkspaceId,
  pipelineId: string,
  places: StagePlace[],
  { order, ...filter }: BoardFilter,
): Promise<ViewRecord[]> {
  if (places.length === 0) return [];
  const { values, bind } = new SqlValues(workspaceId, pipelineId, ...arraysOf(places, "stage", "state", "max"));
  const matching = matchingSql(filter, bind);
  const { rows } = await pool().query<{ id: string; registers: Registers }>(
    `SELECT t.id, t.registers FROM unnest($3::text[], $4::text[], $5::int[]) AS p(stage, state, max) CROSS JOIN LATERAL (
       ${walkSql(matching, "p.stage IS NOT NULL AND stage = p.stage", order)} UNION ALL ${walkSql(matching, "p.stage IS NULL AND stage IS NULL", order)}) t
     ORDER BY t.rank, t.id`,
    values,
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

type MoveTable = "task_moves" | "task_moves_shadow";

/** Inserts moves; existing ones stay, so a repeated delivery changes nothing. */
export async function insertTaskMoves(client: pg.PoolClient, moves: TaskMove[], table: MoveTable = "task_moves"): Promise<void> {
  if (moves.length === 0) return;
  await client.query({
    name: `${table}-insert`,
    text: `INSERT INTO ${table} (workspace_id, event_id, task_id, pipeline_id, from_stage, stage, creates, at)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::bigint[])
      ON CONFLICT DO NOTHING`,
    values: arraysOf(moves, "workspaceId", "eventId", "taskId", "pipelineId", "fromStage", "stage", "creates", "at"),
  });
}

const MAX_MOVES = 20_000;

export async function listTaskMoves(workspaceId: WorkspaceId, taskIds: string[]): Promise<Map<string, TaskMove[]>> {
  const moves = new Map<string, TaskMove[]>();
  if (taskIds.length === 0) return moves;
  const { rows } = await pool("worker").query<TaskMove>(
    `SELECT workspace_id AS "workspaceId", event_id AS "eventId", task_id AS "taskId", pipeline_id AS "pipelineId",
            from_stage AS "fromStage", stage, creates, at
       FROM task_moves WHERE workspace_id = $1 AND task_id = ANY($2::text[]) ORDER BY at, event_id LIMIT ${MAX_MOVES}`,
    [workspaceId, taskIds],
  );
  for (const move of rows) moves.set(move.taskId, [...(moves.get(move.taskId) ?? []), move]);
  return moves;
}

type Steps = { since: number; step: number };

/** Counts tasks that came to each stage, by the beginning of the step. Unix seconds. */
export const countArrivals = (
  workspaceId: WorkspaceId,
  pipelineId: string,
  { since, step }: Steps,
): Promise<{ stage: string; at: number; count: number }[]> =>
  queryRows<{ stage: string; at: number; count: number }>(
    pool(),
    `SELECT stage, at / $4 * $4 AS at, count(*) AS count FROM task_moves
      WHERE workspace_id = $1 AND pipeline_id = $2 AND at >= $3 AND stage IS NOT NULL GROUP BY 1, 2`,
    [workspaceId, pipelineId, since, step],
  );

/** Seconds that tasks had been on a stage when they left it; `at` is null for the whole range. */
export type Stay = { stage: string; at: number | null; left: number; p50: number; p95: number };

/** Number of the newest moves of which the stays are taken. */
const MAX_STAYS = 20_000;
const STAYS_LIMIT_MS = 1500;

/** Measures stays by the step (Unix seconds) in which tasks left, and in all; null when it took too long. */
export async function measureStays(workspaceId: WorkspaceId, pipelineId: string, { since, step }: Steps): Promise<Stay[] | null> {
  return queryWithin<Stay>(
    STAYS_LIMIT_MS,
    `WITH moved AS (
       SELECT task_id, event_id, stage, at FROM task_moves
        WHERE workspace_id = $1 AND pipeline_id = $2 AND at >= $3 AND stage IS NOT NULL ORDER BY at DESC LIMIT ${MAX_STAYS}),
     stays AS (
       SELECT b.stage, m.at / $4 * $4 AS at, m.at - b.at AS stay FROM moved m CROSS JOIN LATERAL (
         SELECT p.stage, p.at FROM task_moves p
          WHERE p.workspace_id = $1 AND p.task_id = m.task_id AND p.stage IS NOT NULL AND (p.at, p.event_id) < (m.at, m.event_id)
          ORDER BY p.at DESC, p.event_id DESC LIMIT 1) b
        WHERE b.stage <> m.stage)
     SELECT stage, at, count(*)::int AS left, percentile_disc(0.5) WITHIN GROUP (ORDER BY stay) AS p50,
            percentile_disc(0.95) WITHIN GROUP (ORDER BY stay) AS p95
       FROM stays GROUP BY GROUPING SETS ((stage), (stage, at))`,
    [workspaceId, pipelineId, since, step],
  );
}
