import { createContext, memo, type ReactNode, useContext, useState } from "react";
import { shortId } from "#components/records/resource-id";
import { MoreButton } from "#components/ui/lists/paging";
import { StateIcon } from "#components/ui/primitives/badge";
import { RowButton } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import { PageLink, TextLink } from "#components/ui/primitives/page-link";
import { useTickingWords } from "#components/ui/relative-time";
import { durationWords, useExactWords } from "#components/ui/time-format";
import { fieldLine, fieldTime, shareWords, timeOf, viewHref } from "#components/views/view-labels";
import { useViews } from "#lib/client/queries/views";
import { visible } from "#lib/contracts/api/plain-text";
import { BOARD_COUNT_CAP, type BoardFilter } from "#lib/contracts/board-filters";
import { cappedNumber, formatNumber } from "#lib/contracts/format-count";
import type { PipelineBoard, ViewRecord } from "#lib/contracts/views";

type Stage = PipelineBoard["stages"][number];

/** One way of counting for a whole board: `1,057`, and `10,000+` where counting ends. */
const counted = (count: number) => cappedNumber(count, BOARD_COUNT_CAP);

type BoardColumnProps = { pipelineId: string; stage: Stage; filter: BoardFilter };

export function BoardColumn({ pipelineId, stage, filter }: BoardColumnProps) {
  const { order, ...matching } = filter;
  const narrowed = matching.q !== undefined || matching.assignee !== undefined;
  const name = stage.name === "" ? "No stage" : visible(stage.name);
  return (
    <section aria-label={`Stage ${name}`} className="flex min-w-0 max-w-96 shrink-0 grow basis-64 flex-col gap-2 rounded-md bg-sunken p-2">
      <ColumnHead name={name} stage={stage} waiting={order === "waiting"} />
      <Cards pipelineId={pipelineId} stage={stage} matching={matching} waiting={order === "waiting"} active />
      {stage.completed === 0 ? null : (
        <>
          <h3 className="px-1 pt-1 text-12 text-faint">Completed: {counted(stage.completed)}</h3>
          <Cards pipelineId={pipelineId} stage={stage} matching={matching} waiting={false} active={false} />
        </>
      )}
      {stage.count === 0 ? <p className="px-1 pb-1 text-12 text-faint">{narrowed ? "No matching tasks" : "No tasks"}</p> : null}
    </section>
  );
}

function ColumnHead({ name, stage, waiting }: { name: string; stage: Stage; waiting: boolean }) {
  const words = useBoardWords((now) => activeWords(stage, medianStay(stage.tasks, now), waiting));
  return (
    <div className="flex flex-col px-1">
      <div className="flex items-center gap-2">
        <h2 title={name} className="min-w-0 truncate text-13 font-medium">
          {name}
        </h2>
        <span className="rounded-sm bg-hover px-1 text-12 text-muted tabular-nums">{counted(stage.count)}</span>
      </div>
      <p suppressHydrationWarning className="text-12 text-faint">
        {words}
      </p>
    </div>
  );
}

function activeWords({ active, tasks }: Stage, median: number | null, waiting: boolean): string {
  if (median === null) return "None active";
  const shown = tasks.filter((task) => !isCompleted(task)).length;
  return `${counted(active)} active · median ${durationWords(median)}${shown < active ? ` (${waiting ? "longest" : "last"} ${shown})` : ""}`;
}

type CardsProps = { pipelineId: string; stage: Stage; matching: Omit<BoardFilter, "order">; waiting: boolean; active: boolean };

/** Shows the first tasks from the board, then page by page. */
function Cards({ pipelineId, stage, matching, waiting, active }: CardsProps) {
  const [all, setAll] = useState(false);
  const past = useIsPast();
  const more = useViews(
    "task",
    { ...matching, parent: pipelineId, stage: stage.name, active },
    { enabled: all && !past && stage.name !== "", order: waiting ? "asc" : "desc" },
  );
  const first = stage.tasks.filter((task) => isCompleted(task) !== active);
  const pages = all && !past && more.data && !more.isPlaceholderData ? more.data.pages.flatMap(({ data }) => data) : null;
  const tasks = pages === null ? first : waiting ? longestFirst(pages) : pages;
  const count = active ? stage.active : stage.completed;
  if (count === 0) return null;
  const ofAll = `${formatNumber(tasks.length)} of ${counted(count)}`;
  return (
    <>
      <CardList tasks={tasks} column={stage.name} />
      {count <= tasks.length || (pages !== null && !more.hasNextPage) ? null : past ? (
        <p className="px-1 text-12 text-muted">{ofAll} at that time.</p>
      ) : stage.name === "" ? (
        <p className="px-1 text-12 text-muted">
          {ofAll}. The rest is in the <TextLink href={`/tasks?parent=${encodeURIComponent(pipelineId)}`}>list</TextLink>.
        </p>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-2 px-1 text-12 text-muted">
          <span>{ofAll}</span>
          <MoreButton
            size="sm"
            variant="ghost"
            loading={more.isFetchingNextPage || (all && more.isPending)}
            onMore={() => (all ? void more.fetchNextPage() : setAll(true))}
          >
            Show more
          </MoreButton>
        </div>
      )}
      {all && !past ? <RowButton onClick={() => setAll(false)}>{`Show first ${first.length} only`}</RowButton> : null}
    </>
  );
}

const longestFirst = (tasks: ViewRecord[]): ViewRecord[] =>
  [...tasks].sort((a, b) => (stageSince(a) ?? "").localeCompare(stageSince(b) ?? "") || (a.id < b.id ? -1 : 1));

const CardList = ({ tasks, column }: { tasks: ViewRecord[]; column: string }) => (
  <ul className="flex flex-col gap-2">
    {tasks.map((task) => (
      <BoardCard key={task.id} task={task} column={column} />
    ))}
  </ul>
);

const Moment = createContext<number | null>(null);

const isCompleted = (task: ViewRecord): boolean => task.state === "completed";

const BoardCard = memo(function BoardCard({ task, column }: { task: ViewRecord; column: string }) {
  const done = isCompleted(task);
  const assignee = fieldLine(task, "assignee") ?? fieldLine(task, "team");
  const classification = fieldLine(task, "classification");
  const share = shareWords(task.fields.confidence?.value);
  return (
    <li
      data-row
      data-card={task.id}
      data-column={column}
      className={cn(
        "relative flex flex-col gap-1 rounded-md border px-3 py-2 text-12 text-muted hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-focus",
        done ? "border-transparent" : "border-line bg-raised",
      )}
    >
      <PageLink
        href={viewHref("task", task.id)}
        className={cn(
          "line-clamp-2 wrap-anywhere text-13 outline-none after:absolute after:inset-0",
          done ? "text-muted" : "font-medium text-text",
        )}
      >
        {task.label === task.id ? <span className="font-mono">{shortId(task.id)}</span> : <bdi>{visible(task.label)}</bdi>}
      </PageLink>
      <span className="truncate">{assignee ?? "Unassigned"}</span>
      {classification === null ? null : (
        <span className="truncate">
          {classification}
          {share === null ? null : <span className="text-faint"> {share}</span>}
        </span>
      )}
      <Stay task={task} done={done} />
    </li>
  );
});

function Stay({ task, done }: { task: ViewRecord; done: boolean }) {
  const exactWords = useExactWords();
  const at = done ? (fieldTime(task, "completedAt") ?? task.lastEventAt) : stageSince(task);
  const ms = at === null ? Number.NaN : Date.parse(at);
  const known = !Number.isNaN(ms);
  const stay = useBoardWords((now) => (known ? durationWords(Math.max(0, now - ms)) : ""));
  return (
    <span className="flex items-center gap-1.5 [&>svg]:size-3">
      <StateIcon state={done ? "fine" : "working"} />
      <time dateTime={at ?? ""} suppressHydrationWarning {...(known ? { title: exactWords(ms) } : {})}>
        {done ? `Completed${known ? ` ${stay} ago` : ""}` : known ? `${stay} in this stage` : "Time unknown"}
      </time>
    </span>
  );
}

export function BoardClock({ asOf, children }: { asOf: string | null; children: ReactNode }) {
  return <Moment value={asOf === null ? null : Date.parse(asOf)}>{children}</Moment>;
}

/** Ticks while the board shows the present. `now` is the board's time, in Unix milliseconds. */
function useBoardWords(words: (now: number) => string): string {
  const moment = useContext(Moment);
  return useTickingWords((now) => words(moment ?? now));
}

const useIsPast = (): boolean => useContext(Moment) !== null;

/** Returns when a task entered its stage (ISO 8601): its last move, else its creation, else the event that set the stage. */
export function stageSince(task: ViewRecord): string | null {
  return fieldTime(task, "stageSince") ?? fieldTime(task, "createdAt") ?? timeOf(task.fields.stage?.at);
}

/** Returns the median stay of a stage's active tasks in milliseconds; null if there are none. */
export function medianStay(tasks: ViewRecord[], now: number): number | null {
  const stays = tasks
    .filter((task) => !isCompleted(task))
    .flatMap((task) => stageSince(task) ?? [])
    .map((since) => Math.max(0, now - Date.parse(since)))
    .sort((a, b) => a - b);
  return stays[Math.floor((stays.length - 1) / 2)] ?? null;
}
