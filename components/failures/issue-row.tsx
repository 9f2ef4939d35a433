"use client";

import { DaySpark } from "#components/failures/day-spark";
import { countWords, originWords, placeWords, STATE_WORDS } from "#components/failures/issue-words";
import { PatientLink } from "#components/ui/patient-link";
import { RelativeTime } from "#components/ui/relative-time";
import { StateBadge } from "#components/ui/state-badge";
import { StateIcon } from "#components/ui/state-icon";
import type { Issue } from "#lib/contracts/issues";

/** One issue: what fails, how often and when, and what to do about it. The row opens its page. */
export function IssueRow({ issue }: { issue: Issue }) {
  const { word, tone } = STATE_WORDS[issue.state];
  const place = placeWords(issue);
  return (
    <li className="relative flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-3 py-3 hover:bg-hover has-[a[data-row-link]:focus-visible]:outline-2 has-[a[data-row-link]:focus-visible]:-outline-offset-2 has-[a[data-row-link]:focus-visible]:outline-focus">
      <StateIcon state={issue.origin === "processing" ? "failed" : "attention"} className="mt-0.5" />
      <div className="min-w-0 flex-1 basis-64">
        <PatientLink
          href={`/failures/${issue.id}`}
          data-row-link
          className="line-clamp-2 break-words font-medium outline-none after:absolute after:inset-0 after:content-['']"
        >
          {issue.failure.what}
        </PatientLink>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
          <span className="font-medium text-text tabular-nums">{countWords(issue)}</span>
          <span>{originWords(issue)}</span>
          <span className="min-w-0 max-w-full truncate font-mono">{issue.type}</span>
          {place === null ? null : <span className="min-w-0 max-w-full truncate font-mono">{place}</span>}
        </p>
        <p className="mt-1 line-clamp-2 max-w-[120ch] break-words text-13 text-muted">{issue.failure.mend}</p>
      </div>
      <div className="flex shrink-0 flex-col items-start gap-1.5 max-[700px]:w-full max-[700px]:pl-8 max-[700px]:flex-row max-[700px]:flex-wrap max-[700px]:items-center min-[700px]:w-40">
        <StateBadge state={tone}>{word}</StateBadge>
        <DaySpark hours={issue.lastDay} className="max-[700px]:hidden" />
        <span className="text-12 text-muted">
          Last seen <RelativeTime at={issue.lastSeenAt} />
        </span>
      </div>
    </li>
  );
}
