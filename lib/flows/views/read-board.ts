import type { WorkspaceId } from "#lib/contracts/api/ids";
import { BOARD_COUNT_CAP, type BoardFilter } from "#lib/contracts/board-filters";
import { barStarts, type ChartRange, RANGE_STEPS } from "#lib/contracts/events/event-times";
import type { PipelineBoard, PipelineThroughput, ViewRecord } from "#lib/contracts/views";
import { findChildrenKnownFrom, listChildrenOfBases } from "#lib/views/base-store";
import { mergeRecords, recordOf, stageName } from "#lib/views/fold/fold";
import {
  countArrivals,
  countByStage,
  countCompleted,
  listOnStages,
  measureStays,
  type StageCount,
  type StagePlace,
  type Stay,
} from "#lib/views/pipeline-store";
import { asSearched } from "#lib/views/stored-record";
import { listAssignees } from "#lib/views/view-list-store";
import { findView } from "#lib/views/view-store";
import { foldAsOf, momentOf, type PastRecords, pastMarks, sumCoverage } from "./read-as-of.ts";

/** Cards of each state in a column's first answer; the rest is fetched by page. A browser redraws them twice a second. */
const ACTIVE_SHOWN = 20;
const COMPLETED_SHOWN = 5;
/** More columns than this are no board: those with the fewest tasks come without cards. */
const PLACES_SHOWN = 200;

/** Returns null when the log names no such pipeline. */
export async function readBoard(workspaceId: WorkspaceId, pipelineId: string, filter: BoardFilter = {}): Promise<PipelineBoard | null> {
  const { order, ...matching } = filter;
  const [pipeline, counts, assignees] = await Promise.all([
    findView(workspaceId, "pipeline", pipelineId),
    countByStage(workspaceId, pipelineId, matching),
    listAssignees(workspaceId),
  ]);
  if (!pipeline) return null;
  const places = placesOf(counts);
  const list = (of: (place: StagePlace) => boolean, how: BoardFilter) => listOnStages(workspaceId, pipelineId, places.filter(of), how);
  const [active, completed] = await Promise.all([
    list(({ state }) => state !== "completed", filter),
    list(({ state }) => state === "completed", matching),
  ]);
  const stages = columnsOf(pipeline, counts, [...active, ...completed]);
  return { pipeline, stages, assignees, asOf: null, partial: false, coverage: null, knownFrom: null };
}

function columnsOf(pipeline: ViewRecord, counts: StageCount[], tasks: ViewRecord[]): PipelineBoard["stages"] {
  // Tasks without a stage come last; a stage that the pipeline does not know, by its name.
  const others = counts.map(({ stage }) => stage ?? "").sort((a, b) => Number(a === "") - Number(b === "") || a.localeCompare(b));
  const names = [...new Set([...stagesOf(pipeline), ...others])];
  const total = (name: string, of: (state: string) => boolean) =>
    Math.min(
      BOARD_COUNT_CAP + 1,
      counts.reduce((sum, { stage, state, count }) => ((stage ?? "") === name && of(state) ? sum + count : sum), 0),
    );
  return names
    .map((name) => ({
      name,
      tasks: firstOf(tasks.filter((task) => (stageName(task.fields.stage?.value) ?? "") === name)),
      count: total(name, () => true),
      active: total(name, (state) => state !== "completed"),
      completed: total(name, (state) => state === "completed"),
    }))
    .filter(({ name, count }) => name !== "" || count > 0);
}

const placesOf = (counts: StageCount[]): StagePlace[] =>
  [...counts]
    .sort((a, b) => b.count - a.count)
    .slice(0, PLACES_SHOWN)
    .map(({ stage, state }) => ({ stage, state, max: state === "completed" ? COMPLETED_SHOWN : ACTIVE_SHOWN }));

/** Limits all active states together to what one state shows. */
function firstOf(tasks: ViewRecord[]): ViewRecord[] {
  const active = tasks.filter(({ state }) => state !== "completed").slice(0, ACTIVE_SHOWN);
  return [...active, ...tasks.filter(({ state }) => state === "completed").slice(0, COMPLETED_SHOWN)];
}

/** Returns the stages in the order in which the log first named them. */
const stagesOf = (pipeline: ViewRecord): string[] =>
  Object.entries(pipeline.fields)
    .filter(([field]) => field.startsWith("stage:"))
    .sort(([, a], [, b]) => a.at.localeCompare(b.at) || (a.eventId === b.eventId ? Number(a.value) - Number(b.value) : 0))
    .map(([field]) => field.slice("stage:".length));

/** Tasks whose events have left the log that are read, the newest. */
const TASKS_OF_BASES = 5000;

/** Returns null when no event had named the pipeline by then. @param asOf ISO 8601 */
export async function readBoardAsOf(
  workspaceId: WorkspaceId,
  pipelineId: string,
  asOf: string,
  filter: BoardFilter = {},
): Promise<PipelineBoard | null> {
  const until = momentOf(asOf);
  const past = await foldAsOf(workspaceId, "pipeline", [pipelineId], until);
  const registers = past.find("pipeline", pipelineId);
  if (!registers) return null;
  const pipeline = recordOf("pipeline", pipelineId, registers);
  const [{ tasks: all, ...read }, assignees] = await Promise.all([
    tasksOf(workspaceId, pipelineId, past, until),
    listAssignees(workspaceId),
  ]);
  const tasks = all.filter((task) => matches(task, filter));
  if (filter.order === "waiting") tasks.sort(byWaiting);
  return { pipeline, stages: columnsOf(pipeline, countsOf(tasks), tasks), assignees, asOf, ...pastMarks(read) };
}

/** Agrees with the SQL of a board of the present. */
const matches = ({ id, label, fields }: ViewRecord, { q, assignee }: BoardFilter): boolean =>
  (q === undefined || asSearched(`${id} ${label}`).includes(asSearched(q))) &&
  (assignee === undefined || (fields.assignee?.value ?? fields.team?.value) === assignee);

const sinceOf = ({ fields, lastEventAt }: ViewRecord): string =>
  fields.stageSince?.at ?? fields.createdAt?.at ?? fields.stage?.at ?? lastEventAt;

/** Completed ones, which come last, stay the newest first. */
const byWaiting = (a: ViewRecord, b: ViewRecord) =>
  a.state === "completed" || b.state === "completed"
    ? Number(a.state === "completed") - Number(b.state === "completed")
    : sinceOf(a).localeCompare(sinceOf(b)) || (a.id < b.id ? -1 : 1);

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

/** Measures arrivals, stays and completions by stage, in each bar of a range that ends now; null without such a pipeline. */
export async function readThroughput(
  workspaceId: WorkspaceId,
  pipelineId: string,
  now: Date,
  range: ChartRange = "24h",
): Promise<PipelineThroughput | null> {
  const starts = barStarts(range, now);
  const { stepSeconds } = RANGE_STEPS[range];
  const steps = { since: starts[0] ?? 0, step: stepSeconds };
  const [pipeline, arrivals, completed, stays] = await Promise.all([
    findView(workspaceId, "pipeline", pipelineId),
    countArrivals(workspaceId, pipelineId, steps),
    countCompleted(workspaceId, pipelineId, steps),
    measureStays(workspaceId, pipelineId, steps),
  ]);
  if (!pipeline) return null;
  const names = [...new Set([...stagesOf(pipeline), ...arrivals.map(({ stage }) => stage)])];
  return {
    since: new Date(steps.since * 1000).toISOString(),
    stepSeconds,
    stages: names.map((name) => {
      const counts = new Map(arrivals.filter(({ stage }) => stage === name).map(({ at, count }) => [at, count]));
      return { name, arrived: starts.map((at) => counts.get(at) ?? 0), ...staysOf(name, stays ?? [], starts) };
    }),
    completed: starts.map((at) => completed.get(at) ?? 0),
  };
}

function staysOf(name: string, stays: Stay[], starts: number[]) {
  const own = stays.filter(({ stage }) => stage === name);
  const whole = own.find(({ at }) => at === null);
  return {
    stay: whole ? { left: whole.left, p50: whole.p50, p95: whole.p95 } : null,
    stays: starts.map((start) => own.find(({ at }) => at === start)?.p50 ?? null),
  };
}
