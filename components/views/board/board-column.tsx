"use client";

import { useState } from "react";
import { TextLink } from "#components/ui/layout/text-link";
import { Count } from "#components/ui/lists/count";
import { Button } from "#components/ui/primitives/button";
import { durationWords } from "#components/ui/time/time-format";
import { BoardCard } from "#components/views/board/board-card";
import { useBoardWords, useIsPast } from "#components/views/board/board-clock";
import { isCompleted, medianStay } from "#components/views/board/stage-times";
import { useViews } from "#lib/client/queries/views";
import { COUNT_CAP, cappedNumber, formatNumber } from "#lib/contracts/counts/format-count";
import type { PipelineBoard, ViewRecord } from "#lib/contracts/views";

type Stage = PipelineBoard["stages"][number];

export function BoardColumn({ pipelineId, stage }: { pipelineId: string; stage: Stage }) {
  const name = stage.name === "" ? "No stage" : stage.name;
  return (
    <section aria-label={`Stage ${name}`} className="flex min-w-0 max-w-96 shrink-0 grow basis-64 flex-col gap-2 rounded-md bg-sunken p-2">
      <ColumnHead name={name} stage={stage} />
      <Cards pipelineId={pipelineId} stage={stage} active />
      {stage.completed === 0 ? null : (
        <>
          <h3 className="px-1 pt-1 text-12 text-faint">Completed: {cappedNumber(stage.completed)}</h3>
          <Cards pipelineId={pipelineId} stage={stage} active={false} />
        </>
      )}
      {stage.count === 0 ? <p className="px-1 pb-1 text-12 text-faint">No tasks</p> : null}
    </section>
  );
}

function ColumnHead({ name, stage }: { name: string; stage: Stage }) {
  const words = useBoardWords((now) => activeWords(stage, medianStay(stage.tasks, now)));
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

function activeWords({ active, tasks }: Stage, median: number | null): string {
  if (median === null) return "None active";
  const shown = tasks.filter((task) => !isCompleted(task)).length;
  return `${cappedNumber(active)} active · median ${durationWords(median)}${shown < active ? ` (last ${shown})` : ""}`;
}

const hasRest = (count: number, shown: number) => count > COUNT_CAP || count > shown;
const restWords = (count: number, shown: number) => (count > COUNT_CAP ? "many" : formatNumber(count - shown));

type CardsProps = { pipelineId: string; stage: Stage; active: boolean };

/** Shows the newest tasks from the board, then page by page. */
function Cards({ pipelineId, stage, active }: CardsProps) {
  const [all, setAll] = useState(false);
  const past = useIsPast();
  const more = useViews("task", { parent: pipelineId, stage: stage.name, active }, { enabled: all && !past && stage.name !== "" });
  const newest = stage.tasks.filter((task) => isCompleted(task) !== active);
  const tasks = all && !past && more.data && !more.isPlaceholderData ? more.data.pages.flatMap(({ data }) => data) : newest;
  const count = active ? stage.active : stage.completed;
  if (count === 0) return null;
  return (
    <>
      <CardList tasks={tasks} column={stage.name} />
      {!hasRest(count, tasks.length) || (all && more.data && !more.hasNextPage) ? null : past ? (
        <p className="px-1 text-12 text-muted">{restWords(count, tasks.length)} more at that time.</p>
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
          {`Show more (${restWords(count, tasks.length)} older)`}
        </Button>
      )}
      {all && !past ? (
        <Button size="sm" variant="ghost" onClick={() => setAll(false)}>
          Show newest only
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
