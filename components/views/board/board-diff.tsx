import type { PipelineBoard, ViewRecord } from "#lib/contracts/views";

/** A stage is null if the task was not on the board. */
export type TaskChange = {
  task: ViewRecord;
  from: string | null;
  to: string | null;
  completed: boolean;
  /** The event that made the difference, and when the platform created it; null if it is not among the cards. */
  by: { eventId: string; at: string } | null;
};

export type StageChange = { name: string; before: number; after: number };

type Placed = { task: ViewRecord; stage: string };

/** Returns the cards that moved, are new, completed or gone, newest first. Compares only cards that a column shows. */
export function taskChanges(before: PipelineBoard | null, after: PipelineBoard): TaskChange[] {
  const [was, is] = [placesOf(before), placesOf(after)];
  const changes = [...is.values()].flatMap(({ task, stage }): TaskChange[] => {
    const old = was.get(task.id);
    const completed = task.state === "completed" && old?.task.state !== "completed";
    if (old && old.stage === stage && !completed) return [];
    // A card that the older board did not show is not a change if its stage was set before.
    if (!old && before && beganBefore(task, before)) return [];
    const setter = completed && old?.stage === stage ? task.fields.state : (task.fields.stage ?? task.fields.state);
    return [{ task, from: old?.stage ?? null, to: stage, completed, by: setter ? { eventId: setter.eventId, at: setter.at } : null }];
  });
  const gone = isWhole(after) ? [...was.values()].filter(({ task }) => !is.has(task.id)) : [];
  const left = gone.map(({ task, stage }): TaskChange => ({ task, from: stage, to: null, completed: false, by: null }));
  return [...changes, ...left].sort((a, b) => (b.by?.at ?? "").localeCompare(a.by?.at ?? ""));
}

export function stageChanges(before: PipelineBoard | null, after: PipelineBoard): StageChange[] {
  const counts = new Map(before?.stages.map(({ name, count }) => [name, count]));
  return after.stages
    .map(({ name, count }) => ({ name, before: counts.get(name) ?? 0, after: count }))
    .filter((stage) => stage.before !== stage.after);
}

const placesOf = (board: PipelineBoard | null): Map<string, Placed> =>
  new Map(board?.stages.flatMap(({ name, tasks }) => tasks.map((task): [string, Placed] => [task.id, { task, stage: name }])));

/** True if every task of the board is among its cards. */
const isWhole = (board: PipelineBoard) => board.stages.every(({ tasks, count }) => tasks.length === count);

const beganBefore = (task: ViewRecord, { asOf }: PipelineBoard) =>
  asOf !== null && task.fields.stage !== undefined && Date.parse(task.fields.stage.at) <= Date.parse(asOf);
