import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { PipelineBoard, ViewRecord } from "#lib/contracts/views";
import type { StageCount } from "#lib/views/board-store";
import { mergeRecords, recordOf } from "#lib/views/fold/fold";
import { stageName } from "#lib/views/fold/task-moves";
import { sumCoverage } from "./fold-history.ts";
import { foldAsOf, momentOf, type PastRecords } from "./read-as-of.ts";
import { columnsOf } from "./read-board.ts";

/**
 * A pipeline's board as it was: a fold of the events created up to a moment.
 *
 * @param asOf ISO 8601
 * @returns null when no event had named the pipeline by then
 */
export async function readBoardAsOf(workspaceId: WorkspaceId, pipelineId: string, asOf: string): Promise<PipelineBoard | null> {
  const until = momentOf(asOf);
  const past = await foldAsOf(workspaceId, "pipeline", [pipelineId], until);
  const registers = past.find("pipeline", pipelineId);
  if (!registers) return null;
  const pipeline = recordOf("pipeline", pipelineId, registers);
  const { tasks, coverage } = await tasksOf(workspaceId, pipelineId, past, until);
  return { pipeline, stages: columnsOf(pipeline, countsOf(tasks), tasks), asOf, partial: coverage !== null, coverage };
}

/**
 * The tasks that stood in the pipeline, the one with the newest event first: each from all that the log says of it,
 * since an event of a task need not name its pipeline.
 */
async function tasksOf(workspaceId: WorkspaceId, pipelineId: string, past: PastRecords, until: number) {
  const named = past.list("task");
  const whole = await foldAsOf(
    workspaceId,
    "task",
    named.map(([id]) => id),
    until,
  );
  const tasks = named
    .map(([id, registers]) => recordOf("task", id, mergeRecords("task", registers, whole.find("task", id) ?? {})))
    .filter(({ parent }) => parent === pipelineId)
    .sort(byNewest);
  return { tasks, coverage: sumCoverage(past.coverage, whole.coverage) };
}

const byNewest = (a: ViewRecord, b: ViewRecord) => b.lastEventAt.localeCompare(a.lastEventAt) || (a.id < b.id ? -1 : 1);

function countsOf(tasks: ViewRecord[]): StageCount[] {
  const counts = new Map<string, StageCount>();
  for (const { fields, state } of tasks) {
    const stage = stageName(fields.stage?.value);
    const key = JSON.stringify([stage, state]);
    counts.set(key, { stage, state, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
