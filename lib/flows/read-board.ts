import type { WorkspaceId } from "#lib/contracts/ids";
import type { PipelineBoard, PipelineThroughput, ViewRecord } from "#lib/contracts/views";
import { countByStage, countCompletedByHour, listNewestOnStages, type StageCount } from "#lib/views/board-store";
import { countArrivals } from "#lib/views/task-move-store";
import { stageName } from "#lib/views/task-moves";
import { findView } from "#lib/views/view-store";

/** How many cards of each state a column brings along; the rest is had page by page. A browser redraws them twice a second. */
const IN_WORK_SHOWN = 20;
const COMPLETED_SHOWN = 5;
/** More columns than this are no board: those with the fewest tasks bring no cards along. */
const PLACES_SHOWN = 200;
/** As everywhere: "1,000+". */
const MOST_COUNTED = 1001;
const HOUR_S = 3600;
const HOURS = 24;

/**
 * A pipeline as a board: its stages by first sight, with how many tasks each
 * has and the newest of them. Null when the log speaks of no such pipeline.
 */
export async function readBoard(workspaceId: WorkspaceId, pipelineId: string): Promise<PipelineBoard | null> {
  const [pipeline, counts] = await Promise.all([findView(workspaceId, "pipeline", pipelineId), countByStage(workspaceId, pipelineId)]);
  if (!pipeline) return null;
  const tasks = await listNewestOnStages(workspaceId, pipelineId, placesOf(counts));
  return { pipeline, stages: columnsOf(pipeline, counts, tasks), asOf: null, partial: false };
}

/** The columns of a board: every stage that was seen or has tasks, with the newest of them. */
export function columnsOf(pipeline: ViewRecord, counts: StageCount[], tasks: ViewRecord[]): PipelineBoard["stages"] {
  // Tasks without a stage come last; a stage that the pipeline does not know, by its name.
  const others = counts.map(({ stage }) => stage ?? "").sort((a, b) => Number(a === "") - Number(b === "") || a.localeCompare(b));
  const names = [...new Set([...stagesOf(pipeline), ...others])];
  const total = (name: string, of: (state: string) => boolean) =>
    Math.min(
      MOST_COUNTED,
      counts.reduce((sum, { stage, state, count }) => ((stage ?? "") === name && of(state) ? sum + count : sum), 0),
    );
  return names
    .map((name) => ({
      name,
      tasks: newestOf(tasks.filter((task) => (stageName(task.fields.stage?.value) ?? "") === name)),
      count: total(name, () => true),
      inWork: total(name, (state) => state !== "completed"),
      completed: total(name, (state) => state === "completed"),
    }))
    .filter(({ name, count }) => name !== "" || count > 0);
}

const placesOf = (counts: StageCount[]) =>
  [...counts]
    .sort((a, b) => b.count - a.count)
    .slice(0, PLACES_SHOWN)
    .map(({ stage, state }) => ({ stage, state, max: state === "completed" ? COMPLETED_SHOWN : IN_WORK_SHOWN }));

/** Several states are in work: together they show as many as one would. */
function newestOf(tasks: ViewRecord[]): ViewRecord[] {
  const inWork = tasks.filter(({ state }) => state !== "completed").slice(0, IN_WORK_SHOWN);
  return [...inWork, ...tasks.filter(({ state }) => state === "completed").slice(0, COMPLETED_SHOWN)];
}

/** A pipeline's stages in the order in which the log first spoke of them. */
const stagesOf = (pipeline: ViewRecord): string[] =>
  Object.entries(pipeline.fields)
    .filter(([field]) => field.startsWith("stage:"))
    .sort(([, a], [, b]) => a.at.localeCompare(b.at) || (a.eventId === b.eventId ? Number(a.value) - Number(b.value) : 0))
    .map(([field]) => field.slice("stage:".length));

/**
 * How many tasks came to each stage and how many were completed, in each of the
 * last 24 hours, the present one included.
 *
 * @returns null when the log speaks of no such pipeline
 */
export async function readThroughput(workspaceId: WorkspaceId, pipelineId: string, now: Date): Promise<PipelineThroughput | null> {
  const last = Math.floor(now.getTime() / 1000 / HOUR_S);
  const hours = Array.from({ length: HOURS }, (_, index) => last - HOURS + 1 + index);
  const since = (hours[0] ?? last) * HOUR_S;
  const [pipeline, arrivals, completed] = await Promise.all([
    findView(workspaceId, "pipeline", pipelineId),
    countArrivals(workspaceId, pipelineId, since),
    countCompletedByHour(workspaceId, pipelineId, since),
  ]);
  if (!pipeline) return null;
  const names = [...new Set([...stagesOf(pipeline), ...arrivals.map(({ stage }) => stage)])];
  return {
    since: new Date(since * 1000).toISOString(),
    stages: names.map((name) => {
      const byHour = new Map(arrivals.filter(({ stage }) => stage === name).map(({ hour, count }) => [hour, count]));
      return { name, arrived: hours.map((hour) => byHour.get(hour) ?? 0) };
    }),
    completed: hours.map((hour) => completed.get(hour) ?? 0),
  };
}
