"use client";

import { memo } from "react";
import { shortId } from "#components/records/resource-id";
import { StateIcon } from "#components/ui/feedback/state-icon";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";
import { durationWords } from "#components/ui/time/time-format";
import { useExactWords } from "#components/ui/time/use-exact-time";
import { useBoardWords } from "#components/views/board/board-clock";
import { isCompleted, stageSince } from "#components/views/board/stage-times";
import { fieldLine, fieldTime, shareWords } from "#components/views/field-text";
import { viewHref } from "#components/views/view-labels";
import type { ViewRecord } from "#lib/contracts/views";

export const BoardCard = memo(function BoardCard({ task, column }: { task: ViewRecord; column: string }) {
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
        {task.label === task.id ? <span className="font-mono">{shortId(task.id)}</span> : task.label}
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
