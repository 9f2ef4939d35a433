import { StateIcon } from "#components/ui/feedback/state-icon";
import { Section } from "#components/ui/layout/section";
import { TextLink } from "#components/ui/layout/text-link";
import { PageLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/time/relative-time";
import { cappedNumber, formatNumber } from "#lib/contracts/counts/format-count";
import type { Issue } from "#lib/contracts/issues";

const shownWords = (shown: number, open: number) =>
  shown < open ? `${shown} of ${formatNumber(open)}, the latest failures first` : undefined;

export function NewestIssues({ issues, open }: { issues: Issue[]; open: number }) {
  if (issues.length === 0) return null;
  return (
    <Section title="Open issues" description={shownWords(issues.length, open)} actions={<TextLink href="/issues">All issues</TextLink>}>
      <ul className="border-t border-line">
        {issues.map((issue) => (
          <li data-row key={issue.id} className="relative flex items-start gap-3 border-b border-line px-3 py-2 hover:bg-hover">
            <StateIcon state={issue.origin === "processing" ? "failed" : "attention"} className="mt-0.5" />
            <PageLink
              href={`/issues/${issue.id}`}
              className="line-clamp-2 min-w-0 flex-1 break-words after:absolute after:inset-0 after:content-['']"
            >
              {issue.failure.what}
            </PageLink>
            <span className="shrink-0 text-12 text-muted tabular-nums">
              {cappedNumber(issue.failing)} failing, <RelativeTime at={issue.lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
