"use client";

import { useState } from "react";
import { Button } from "#components/ui/button";
import { useNow } from "#components/ui/clock";
import { Count } from "#components/ui/count";
import { durationWords } from "#components/ui/time-words";
import { BoardCard } from "#components/views/board/board-card";
import { isCompleted, medianStay } from "#components/views/board/stage-times";
import type { PipelineBoard, ViewRecord } from "#lib/contracts/views";

type Stage = PipelineBoard["stages"][number];

const CARDS_SHOWN = 30;
const COMPLETED_SHOWN = 5;

/** A stage with its tasks: those in work first, the completed ones calmly below. */
export function BoardColumn({ stage }: { stage: Stage }) {
  const completed = stage.tasks.filter(isCompleted);
  const working = stage.tasks.filter((task) => !isCompleted(task));
  const name = stage.name === "" ? "No stage named" : stage.name;
  return (
    <section aria-label={`Stage ${name}`} className="flex min-w-0 max-w-96 shrink-0 grow basis-64 flex-col gap-2 rounded-md bg-sunken p-2">
      <ColumnHead name={name} stage={stage} />
      <Cards tasks={working} column={stage.name} shown={CARDS_SHOWN} what="tasks" />
      {completed.length === 0 ? null : (
        <>
          <h3 className="px-1 pt-1 text-12 text-faint">Completed</h3>
          <Cards tasks={completed} column={stage.name} shown={COMPLETED_SHOWN} what="completed tasks" />
        </>
      )}
      {stage.tasks.length === 0 ? <p className="px-1 pb-1 text-12 text-faint">No task here now</p> : null}
      {stage.count > stage.tasks.length ? (
        <p className="px-1 text-12 text-muted">{stage.count - stage.tasks.length} older ones are in the list of tasks.</p>
      ) : null}
    </section>
  );
}

function ColumnHead({ name, stage }: { name: string; stage: Stage }) {
  const now = useNow();
  const median = medianStay(stage.tasks, now);
  return (
    <div className="flex flex-col px-1">
      <div className="flex items-center gap-2">
        <h2 title={name} className="min-w-0 truncate text-13 font-medium">
          {name}
        </h2>
        <Count value={stage.count} />
      </div>
      <p suppressHydrationWarning className="text-12 text-faint">
        {median === null ? "None in work" : `Median ${durationWords(median)} here so far`}
      </p>
    </div>
  );
}

function Cards({ tasks, column, shown, what }: { tasks: ViewRecord[]; column: string; shown: number; what: string }) {
  const [all, setAll] = useState(false);
  if (tasks.length === 0) return null;
  const hidden = tasks.length - shown;
  return (
    <>
      <ul className="flex flex-col gap-2">
        {(all ? tasks : tasks.slice(0, shown)).map((task) => (
          <BoardCard key={task.id} task={task} column={column} />
        ))}
      </ul>
      {hidden > 0 ? (
        <Button size="sm" variant="ghost" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show ${hidden} more ${what}`}
        </Button>
      ) : null}
    </>
  );
}
