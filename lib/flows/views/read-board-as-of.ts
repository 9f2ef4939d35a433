import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { PipelineBoard, ViewRecord } from "#lib/contracts/views";
import { findChildrenKnownFrom, listChildrenOfBases } from "#lib/views/base/base-store";
import type { StageCount } from "#lib/views/board-store";
import { mergeRecords, recordOf } from "#lib/views/fold/fold";
import { stageName } from "#lib/views/fold/task-moves";
import { sumCoverage } from "./fold-history.ts";
import { foldAsOf, momentOf, type PastRecords, pastMarks } from "./read-as-of.ts";
import { columnsOf } from "./read-board.ts";

/** Tasks whose events have left the log that are read, the newest. */
const TASKS_OF_BASES = 5000;

/** Returns null when no event had named the pipeline by then. @param asOf ISO 8601 */
export async function readBoardAsOf(workspaceId: WorkspaceId, pipelineId: string, asOf: string): Promise<PipelineBoard | null> {
  const until = momentOf(asOf);
  const past = await foldAsOf(workspaceId, "pipeline", [pipelineId], until);
  const registers = past.find("pipeline", pipelineId);
  if (!registers) return null;
  const pipeline = recordOf("pipeline", pipelineId, registers);
  const { tasks, ...read } = await tasksOf(workspaceId, pipelineId, past, until);
  return { pipeline, stages: columnsOf(pipeline, countsOf(tasks), tasks), asOf, ...pastMarks(read) };
}

/** Folds each task from all of its events, which need not name the pipeline; those that have left the log are known by the bases. */
async function tasksOf(workspaceId: WorkspaceId, pipelineId: string, past: PastRecords, until: number) {
  const named = new Map(past.list("task"));
  const left = await listChildrenOfBases(workspaceId, "task", pipelineId, TASKS_OF_BASES + 1);
  const ids = [...new Set([...named.keys(), ...left.slice(0, TASKS_OF_BASES)])];
  const whole = await foldAsOf(workspaceId, "task", ids, until);
  const tasks = ids
    .flatMap((id) => {
      const [part, all] = [named.get(id), whole.find("task", id)];
      // If not all of its own events were read, those that name the pipeline add to them.
      const registers = part && all && whole.coverage ? mergeRecords("task", part, all) : (all ?? part);
      return registers ? [recordOf("task", id, registers)] : [];
    })
    .filter(({ parent }) => parent === pipelineId)
    .sort(byNewest);
  const leftOut = left.length > TASKS_OF_BASES ? { read: ids.length, total: ids.length + 1, more: true } : null;
  // A task that moved on may be in another pipeline by its base: which were here before isn't known any more.
  const others = await findChildrenKnownFrom(workspaceId, "task", pipelineId, until);
  const known = [past.knownFrom, whole.knownFrom, others].filter((at) => at !== null);
  return {
    tasks,
    coverage: sumCoverage(sumCoverage(past.coverage, whole.coverage), leftOut),
    knownFrom: known.length === 0 ? null : Math.max(...known),
  };
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
