"use client";

import { useQuery } from "@tanstack/react-query";
import { StateBadge } from "#components/records/badges/state-badge";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { PageHeader } from "#components/ui/layout/page-header";
import { LinkButton } from "#components/ui/primitives/link-button";
import { issueQuery } from "#lib/client/queries/issues";
import type { Issue } from "#lib/contracts/issues";
import { AssignMenu } from "./assignee/assign-menu.tsx";
import { IssueActions } from "./issue-actions.tsx";
import { IssueDetails, LastDay } from "./issue-details.tsx";
import { IssueEvents } from "./issue-events.tsx";
import { issueEventsWords, originWords, STATE_WORDS } from "./issue-labels.tsx";
import { IssueSnooze } from "./issue-snooze.tsx";
import { RedeliverIssue } from "./redeliver-issue.tsx";

type IssuePageProps = { id: string; ownId: string | null; canManage: boolean; canRedeliver: boolean; canMapFields: boolean };

export function IssuePage({ id, ownId, canManage, canRedeliver, canMapFields }: IssuePageProps) {
  const { data: issue, error, refetch } = useQuery(issueQuery(id));
  if (!issue && error) return <ErrorState what="this issue" error={error} onRetry={() => void refetch()} />;
  if (!issue) return <LoadingState what="the issue" rows={8} />;
  const { word, tone } = STATE_WORDS[issue.state];
  const { what, why, fix } = issue.failure;
  const ours = issue.origin === "processing";
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={what}
        meta={<StateBadge state={tone}>{word}</StateBadge>}
        description={`${issue.title}. ${originWords(issue)}. ${issueEventsWords(issue)}.`}
        actions={
          <>
            {canManage ? <AssignMenu issues={[issue]} ownId={ownId} /> : null}
            {canManage ? <IssueSnooze id={id} title={what} /> : null}
            <IssueActions issue={issue} allowed={canManage} />
          </>
        }
      />
      <ProblemNotice
        tone={issue.origin === "platform" ? "attention" : "failed"}
        what={why}
        fix={fix}
        {...(ours &&
          issue.failing > 0 && {
            action: <RedeliverIssue issueId={issue.id} mappable={canMapFields && issue.code === "missing_id"} allowed={canRedeliver} />,
          })}
        {...(issue.origin === "forwarding" && { action: <OpenDestination issue={issue} /> })}
      />
      <div className="grid gap-6 lg:grid-cols-2">
        <IssueDetails issue={issue} />
        <LastDay hours={issue.lastDay} />
      </div>
      <IssueEvents issueId={issue.id} />
    </div>
  );
}

function OpenDestination({ issue: { place, code } }: { issue: Issue }) {
  const filter = code === "deliveries_exhausted" ? "?state=exhausted" : "";
  return (
    <LinkButton variant="primary" size="sm" href={`/destinations/${encodeURIComponent(place)}${filter}`}>
      View destination
    </LinkButton>
  );
}
