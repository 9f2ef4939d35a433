"use client";

import { StateBadge } from "#components/records/badges/state-badge";
import { StateIcon } from "#components/ui/feedback/state-icon";
import { Button } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { PageLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/time/relative-time";
import type { Issue } from "#lib/contracts/issues";
import { assigneeName } from "./assignee/use-assignees.tsx";
import { DaySpark } from "./day-spark.tsx";
import { issueEventsWords, originWords, placeWords, STATE_WORDS } from "./issue-labels.tsx";
import { useIssueAction } from "./use-issue-action.tsx";

type IssueRowProps = { issue: Issue; canManage: boolean; ticked: boolean; onTick: (on: boolean) => void };

export function IssueRow({ issue, canManage, ticked, onTick }: IssueRowProps) {
  const { word, tone } = STATE_WORDS[issue.state];
  const place = placeWords(issue);
  return (
    <li
      data-row
      className="group/issue relative flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-3 py-3 hover:bg-hover has-[a[data-row-link]:focus-visible]:outline-2 has-[a[data-row-link]:focus-visible]:-outline-offset-2 has-[a[data-row-link]:focus-visible]:outline-focus"
    >
      {canManage ? (
        <span className="relative z-1 mt-0.5 flex">
          <Checkbox aria-label={`Select: ${issue.failure.what}`} checked={ticked} onCheckedChange={onTick} />
        </span>
      ) : null}
      <StateIcon state={issue.origin === "platform" ? "attention" : "failed"} className="mt-0.5" />
      <div className="min-w-0 flex-1 basis-64">
        <PageLink
          href={`/issues/${issue.id}`}
          data-row-link
          className="line-clamp-2 break-words font-medium outline-none after:absolute after:inset-0 after:content-['']"
        >
          {issue.failure.what}
        </PageLink>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
          <span className="font-medium text-text tabular-nums">{issueEventsWords(issue)}</span>
          <span>{originWords(issue)}</span>
          {issue.assignee ? <span className="min-w-0 max-w-full truncate">{`Assigned to ${assigneeName(issue.assignee)}`}</span> : null}
          {issue.origin === "forwarding" ? null : <span className="min-w-0 max-w-full truncate font-mono">{issue.type}</span>}
          {place === null ? null : <span className="min-w-0 max-w-full truncate font-mono">{place}</span>}
        </p>
        <p className="mt-1 line-clamp-2 max-w-[120ch] break-words text-13 text-muted">{issue.failure.fix}</p>
      </div>
      <div className="flex shrink-0 flex-col items-start gap-1.5 max-[700px]:w-full max-[700px]:pl-8 max-[700px]:flex-row max-[700px]:flex-wrap max-[700px]:items-center min-[700px]:w-40">
        <span className="flex w-full items-center justify-between gap-2">
          <StateBadge state={tone}>{word}</StateBadge>
          {canManage && issue.actions.includes("resolve") ? <ResolveInRow issue={issue} /> : null}
        </span>
        <DaySpark hours={issue.lastDay} className="max-[700px]:hidden" />
        <span className="text-12 text-muted">
          Last seen <RelativeTime at={issue.lastSeenAt} />
        </span>
      </div>
    </li>
  );
}

/** Visible only under the pointer or the focus. */
function ResolveInRow({ issue }: { issue: Issue }) {
  const { act, pending } = useIssueAction(issue);
  return (
    <Button
      size="sm"
      data-on-key="e"
      aria-label={`Resolve: ${issue.failure.what}`}
      loading={pending === "resolve"}
      onClick={() => act("resolve")}
      className="relative z-1 -my-1 min-[700px]:opacity-0 focus-visible:opacity-100 group-hover/issue:opacity-100 group-focus-within/issue:opacity-100"
    >
      Resolve
    </Button>
  );
}
