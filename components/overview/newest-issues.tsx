import Link from "next/link";
import { RelativeTime } from "#components/ui/relative-time";
import { Section } from "#components/ui/section";
import { StateIcon } from "#components/ui/state-icon";
import { TextLink } from "#components/ui/text-link";
import type { Issue } from "#lib/contracts/issues";

/** The open issues that failed last. */
export function NewestIssues({ issues }: { issues: Issue[] }) {
  if (issues.length === 0) return null;
  return (
    <Section title="Open issues" actions={<TextLink href="/failures">All failures</TextLink>}>
      <ul className="border-t border-line">
        {issues.map((issue) => (
          <li key={issue.id} className="relative flex items-start gap-3 border-b border-line px-3 py-2 hover:bg-hover">
            <StateIcon state={issue.origin === "processing" ? "failed" : "attention"} className="mt-0.5" />
            <Link
              href={`/failures/${issue.id}`}
              className="line-clamp-2 min-w-0 flex-1 break-words after:absolute after:inset-0 after:content-['']"
            >
              {issue.failure.what}
            </Link>
            <span className="shrink-0 text-12 text-muted tabular-nums">
              {issue.failing > 1000 ? "1,000+" : issue.failing} failing, <RelativeTime at={issue.lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
