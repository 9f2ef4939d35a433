"use client";

import { useState } from "react";
import { Button } from "#components/ui/button";
import { Count, formatNumber } from "#components/ui/count";
import { TextLink } from "#components/ui/text-link";
import { durationWords } from "#components/ui/time-words";
import { BoardCard } from "#components/views/board/board-card";
import { useBoardWords, useIsPast } from "#components/views/board/board-clock";
import { isCompleted, medianStay } from "#components/views/board/stage-times";
import { useViews } from "#lib/client/views";
import type { PipelineBoard, ViewRecord } from "#lib/contracts/views";

type Stage = PipelineBoard["stages"][number];

/** A stage with its tasks: those in work first, the completed ones calmly below. The newest are here, the others a press away. */
export function BoardColumn({ pipelineId, stage }: { pipelineId: string; stage: Stage }) {
  const name = stage.name === "" ? "No stage named" : stage.name;
  return (
    <section aria-label={`Stage ${name}`} className="flex min-w-0 max-w-96 shrink-0 grow basis-64 flex-col gap-2 rounded-md bg-sunken p-2">
      <ColumnHead name={name} stage={stage} />
      <Cards pipelineId={pipelineId} stage={stage} inWork />
      {stage.completed === 0 ? null : (
        <>
          <h3 className="px-1 pt-1 text-12 text-faint">Completed: {capped(stage.completed)}</h3>
          <Cards pipelineId={pipelineId} stage={stage} inWork={false} />
        </>
      )}
      {stage.count === 0 ? <p className="px-1 pb-1 text-12 text-faint">No task here</p> : null}
    </section>
  );
}

function ColumnHead({ name, stage }: { name: string; stage: Stage }) {
  const words = useBoardWords((now) => workWords(stage, medianStay(stage.tasks, now)));
  return (
    <div className="flex flex-col px-1">
      <div className="flex items-center gap-2">
        <h2 title={name} className="min-w-0 truncate text-13 font-medium">
          {name}
        </h2>
        <Count value={stage.count} />
      </div>
      <p suppressHydrationWarning className="text-12 text-faint">
        {words}
      </p>
    </div>
  );
}

function workWords({ inWork, tasks }: Stage, median: number | null): string {
  if (median === null) return "None in work";
  const shown = tasks.filter((task) => !isCompleted(task)).length;
  return `${capped(inWork)} in work, median ${durationWords(median)}${shown < inWork ? ` of the newest ${shown}` : ""}`;
}

/** The API counts to 1,001: above that a number is "more than 1,000". */
const CAP = 1000;
const capped = (count: number) => (count > CAP ? "1,000+" : formatNumber(count));
const hasRest = (count: number, shown: number) => count > CAP || count > shown;
const restWords = (count: number, shown: number) => (count > CAP ? "many" : formatNumber(count - shown));

type CardsProps = { pipelineId: string; stage: Stage; inWork: boolean };

/** The tasks of a column, in work or completed: the newest that came with the board, then page by page. */
function Cards({ pipelineId, stage, inWork }: CardsProps) {
  const [all, setAll] = useState(false);
  const past = useIsPast();
  const more = useViews("task", { parent: pipelineId, stage: stage.name, inWork: String(inWork) }, all && !past && stage.name !== "");
  const newest = stage.tasks.filter((task) => isCompleted(task) !== inWork);
  const tasks = all && !past && more.data && !more.isPlaceholderData ? more.data.pages.flatMap(({ data }) => data) : newest;
  const count = inWork ? stage.inWork : stage.completed;
  if (count === 0) return null;
  return (
    <>
      <CardList tasks={tasks} column={stage.name} />
      {!hasRest(count, tasks.length) || (all && more.data && !more.hasNextPage) ? null : past ? (
        <p className="px-1 text-12 text-muted">{restWords(count, tasks.length)} more stood here then.</p>
      ) : stage.name === "" ? (
        <p className="px-1 text-12 text-muted">
          {restWords(count, tasks.length)} more are in the{" "}
          <TextLink href={`/tasks?parent=${encodeURIComponent(pipelineId)}`}>list</TextLink>.
        </p>
      ) : (
        <Button
          size="sm"
          variant="ghost"
          loading={more.isFetchingNextPage || (all && more.isPending)}
          onClick={() => (all ? void more.fetchNextPage() : setAll(true))}
        >
          {`Show more of ${restWords(count, tasks.length)} older`}
        </Button>
      )}
      {all && !past ? (
        <Button size="sm" variant="ghost" onClick={() => setAll(false)}>
          Show the newest only
        </Button>
      ) : null}
    </>
  );
}

const CardList = ({ tasks, column }: { tasks: ViewRecord[]; column: string }) => (
  <ul className="flex flex-col gap-2">
    {tasks.map((task) => (
      <BoardCard key={task.id} task={task} column={column} />
    ))}
  </ul>
);
