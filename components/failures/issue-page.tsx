"use client";

import { useQuery } from "@tanstack/react-query";
import { IssueActions } from "#components/failures/issue-actions";
import { IssueEvents } from "#components/failures/issue-events";
import { IssueFacts, LastDay } from "#components/failures/issue-facts";
import { countWords, originWords, STATE_WORDS } from "#components/failures/issue-words";
import { RedeliverIssue } from "#components/failures/redeliver-issue";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { PageHeader } from "#components/ui/page-header";
import { ProblemNotice } from "#components/ui/problem-notice";
import { StateBadge } from "#components/ui/state-badge";
import { issueQuery } from "#lib/client/issues";

type IssuePageProps = { id: string; canManage: boolean; canRedeliver: boolean };

/** One issue: what fails and how to mend it first, then how often and since when, then its events. */
export function IssuePage({ id, canManage, canRedeliver }: IssuePageProps) {
  const { data: issue, error, refetch } = useQuery(issueQuery(id));
  if (!issue && error) return <ErrorState what="this issue" error={error} onRetry={() => void refetch()} />;
  if (!issue) return <LoadingState what="the issue" rows={8} />;
  const { word, tone } = STATE_WORDS[issue.state];
  const { what, why, mend } = issue.failure;
  const ours = issue.origin === "processing";
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={issue.title}
        meta={<StateBadge state={tone}>{word}</StateBadge>}
        description={`${originWords(issue)}. ${countWords(issue)}.`}
        actions={<IssueActions issue={issue} allowed={canManage} />}
      />
      <ProblemNotice
        tone={ours ? "failed" : "attention"}
        what={what}
        why={why}
        mend={mend}
        {...(ours && issue.failing > 0 && { action: <RedeliverIssue issueId={issue.id} allowed={canRedeliver} /> })}
      />
      <div className="grid gap-6 lg:grid-cols-2">
        <IssueFacts issue={issue} />
        <LastDay hours={issue.lastDay} />
      </div>
      <IssueEvents issueId={issue.id} />
    </div>
  );
}
