import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { PipelineBoard, ViewRecord } from "#lib/contracts/views";
import { MAX_COUNTED } from "#lib/db/capped-count";
import { countByStage, listNewestOnStages, type StageCount } from "#lib/views/board-store";
import { stageName } from "#lib/views/fold/task-moves";
import { findView } from "#lib/views/view-store";

/** Cards of each state in a column's first answer; the rest is fetched by page. A browser redraws them twice a second. */
const ACTIVE_SHOWN = 20;
const COMPLETED_SHOWN = 5;
/** More columns than this are no board: those with the fewest tasks come without cards. */
const PLACES_SHOWN = 200;

/** Returns null when the log names no such pipeline. */
export async function readBoard(workspaceId: WorkspaceId, pipelineId: string): Promise<PipelineBoard | null> {
  const [pipeline, counts] = await Promise.all([findView(workspaceId, "pipeline", pipelineId), countByStage(workspaceId, pipelineId)]);
  if (!pipeline) return null;
  const tasks = await listNewestOnStages(workspaceId, pipelineId, placesOf(counts));
  return { pipeline, stages: columnsOf(pipeline, counts, tasks), asOf: null, partial: false, coverage: null, knownFrom: null };
}

export function columnsOf(pipeline: ViewRecord, counts: StageCount[], tasks: ViewRecord[]): PipelineBoard["stages"] {
  // Tasks without a stage come last; a stage that the pipeline does not know, by its name.
  const others = counts.map(({ stage }) => stage ?? "").sort((a, b) => Number(a === "") - Number(b === "") || a.localeCompare(b));
  const names = [...new Set([...stagesOf(pipeline), ...others])];
  const total = (name: string, of: (state: string) => boolean) =>
    Math.min(
      MAX_COUNTED,
      counts.reduce((sum, { stage, state, count }) => ((stage ?? "") === name && of(state) ? sum + count : sum), 0),
    );
  return names
    .map((name) => ({
      name,
      tasks: newestOf(tasks.filter((task) => (stageName(task.fields.stage?.value) ?? "") === name)),
      count: total(name, () => true),
      active: total(name, (state) => state !== "completed"),
      completed: total(name, (state) => state === "completed"),
    }))
    .filter(({ name, count }) => name !== "" || count > 0);
}

const placesOf = (counts: StageCount[]) =>
  [...counts]
    .sort((a, b) => b.count - a.count)
    .slice(0, PLACES_SHOWN)
    .map(({ stage, state }) => ({ stage, state, max: state === "completed" ? COMPLETED_SHOWN : ACTIVE_SHOWN }));

/** Limits all active states together to what one state shows. */
function newestOf(tasks: ViewRecord[]): ViewRecord[] {
  const active = tasks.filter(({ state }) => state !== "completed").slice(0, ACTIVE_SHOWN);
  return [...active, ...tasks.filter(({ state }) => state === "completed").slice(0, COMPLETED_SHOWN)];
}

/** Returns the stages in the order in which the log first named them. */
export const stagesOf = (pipeline: ViewRecord): string[] =>
  Object.entries(pipeline.fields)
    .filter(([field]) => field.startsWith("stage:"))
    .sort(([, a], [, b]) => a.at.localeCompare(b.at) || (a.eventId === b.eventId ? Number(a.value) - Number(b.value) : 0))
    .map(([field]) => field.slice("stage:".length));
