import { ArrowRight } from "lucide-react";
import { ResourceId } from "#components/records/resource-id";
import { Section } from "#components/ui/layout/section";
import { Badge } from "#components/ui/primitives/badge";
import { TextLink } from "#components/ui/primitives/page-link";
import { ExactTime } from "#components/ui/relative-time";
import { viewHref } from "#components/views/view-labels";
import { visible } from "#lib/contracts/api/plain-text";
import { countWords } from "#lib/contracts/format-count";
import type { PipelineBoard, ViewRecord } from "#lib/contracts/views";

const SHOWN = 30;

type BoardChangesProps = { before: PipelineBoard | null; after: PipelineBoard; since: string };

export function BoardChanges({ before, after, since }: BoardChangesProps) {
  const tasks = taskChanges(before, after);
  const stages = stageChanges(before, after);
  return (
    <Section
      title="Changes"
      description={
        <>
          From <ExactTime at={since} /> to {after.asOf === null ? "latest" : <ExactTime at={after.asOf} />}:{" "}
          {tasks.length === 0 ? "no cards moved." : `${countWords(tasks.length, "card")}.`}
        </>
      }
    >
      {stages.length === 0 ? null : (
        <ul aria-label="Stage counts" className="flex flex-wrap gap-2">
          {stages.map(({ name, before: was, after: is }) => (
            <li key={name}>
              <Badge>
                {name === "" ? "No stage" : name}: {was} → {is}
              </Badge>
            </li>
          ))}
        </ul>
      )}
      {tasks.length === 0 ? null : (
        <ul aria-label="Changed cards" className="divide-y divide-line border-y border-line">
          {tasks.slice(0, SHOWN).map((change) => (
            <Change key={change.task.id} change={change} />
          ))}
        </ul>
      )}
      {tasks.length > SHOWN ? <p className="text-12 text-muted">And {countWords(tasks.length - SHOWN, "more card")}.</p> : null}
    </Section>
  );
}

function Change({ change: { task, from, to, completed, by } }: { change: TaskChange }) {
  return (
    <li className="grid items-baseline gap-x-4 gap-y-1 py-2 text-13 rail:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,180px)]">
      <TextLink href={viewHref("task", task.id)}>
        <span className="line-clamp-2 wrap-anywhere">{visible(task.label)}</span>
      </TextLink>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <span className="text-muted">{from === null ? "New" : from || "No stage"}</span>
        {to === from ? null : (
          <>
            <ArrowRight aria-label="to" className="size-3.5 text-faint" />
            <span className="font-medium">{to === null ? "Left the board" : to || "No stage"}</span>
          </>
        )}
        {completed ? <Badge tone="fine">Completed</Badge> : null}
      </span>
      <span className="text-12 text-muted">
        {by === null ? "" : <ResourceId id={by.eventId} href={`/events/${encodeURIComponent(by.eventId)}`} />}
      </span>
    </li>
  );
}

/** A stage is null if the task was not on the board. */
type TaskChange = {
  task: ViewRecord;
  from: string | null;
  to: string | null;
  completed: boolean;
  /** The event that made the difference, and when the platform created it; null if it is not among the cards. */
  by: { eventId: string; at: string } | null;
};

type StageChange = { name: string; before: number; after: number };

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
