"use client";

import { ArrowRight } from "lucide-react";
import { ResourceId } from "#components/records/resource-id";
import { Section } from "#components/ui/layout/section";
import { TextLink } from "#components/ui/layout/text-link";
import { Badge } from "#components/ui/primitives/badge";
import { ExactTime } from "#components/ui/time/exact-time";
import { stageChanges, type TaskChange, taskChanges } from "#components/views/board/board-diff";
import { viewHref } from "#components/views/view-labels";
import { countWords } from "#lib/contracts/counts/format-count";
import type { PipelineBoard } from "#lib/contracts/views";

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
      {tasks.length > SHOWN ? <p className="text-12 text-muted">And {tasks.length - SHOWN} more cards.</p> : null}
    </Section>
  );
}

function Change({ change: { task, from, to, completed, by } }: { change: TaskChange }) {
  return (
    <li className="grid items-baseline gap-x-4 gap-y-1 py-2 text-13 rail:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,180px)]">
      <TextLink href={viewHref("task", task.id)}>
        <span className="line-clamp-2 wrap-anywhere">{task.label}</span>
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
