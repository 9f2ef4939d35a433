import { ResourceId } from "#components/records/resource-id";
import { BarChart } from "#components/ui/charts/bar-chart";
import { type KeyValue, KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { TextLink } from "#components/ui/layout/text-link";
import { RelativeTime } from "#components/ui/time/relative-time";
import { countWords } from "#lib/contracts/counts/format-count";
import type { Issue } from "#lib/contracts/issues";
import { assigneeName } from "./assignee/use-assignees.tsx";
import { issueEventsWords, placeWords, stateWords } from "./issue-labels.tsx";

export function IssueDetails({ issue }: { issue: Issue }) {
  return <KeyValueList items={factsOf(issue)} />;
}

function factsOf(issue: Issue): KeyValue[] {
  const place = placeWords(issue);
  return [
    { label: "State", value: stateWords(issue), hint: <RelativeTime at={issue.stateAt} /> },
    { label: "Assignee", value: issue.assignee ? assigneeName(issue.assignee) : "Nobody" },
    { label: "First seen", value: <RelativeTime at={issue.firstSeenAt} /> },
    { label: "Last seen", value: <RelativeTime at={issue.lastSeenAt} /> },
    { label: "Events", value: issueEventsWords(issue) },
    { label: "Error code", value: <span className="font-mono text-12">{issue.code}</span> },
    issue.origin === "forwarding"
      ? { label: "Destination", value: <TextLink href={`/destinations/${encodeURIComponent(issue.place)}`}>{issue.title}</TextLink> }
      : { label: "Type", value: <span className="font-mono text-12">{issue.type}</span> },
    ...(place === null ? [] : [{ label: "Location", value: <span className="break-all font-mono text-12">{place}</span> }]),
    {
      label: "Latest event",
      value: (
        <ResourceId id={issue.sampleEventId} {...(issue.count > 0 && { href: `/events/${encodeURIComponent(issue.sampleEventId)}` })} />
      ),
    },
  ];
}

export function LastDay({ hours }: { hours: number[] }) {
  const sum = hours.reduce((all, hour) => all + hour, 0);
  const words = sum === 0 ? "No failures." : `${countWords(sum, "failure")}.`;
  const hoursAgo = (index: number) => (index === hours.length - 1 ? "last hour" : `${hours.length - index} hours ago`);
  return (
    <Section title="Last 24 hours" description={words}>
      <BarChart
        label={`Failures per hour over the last 24 hours: ${words}`}
        series={[{ label: "Failed", hue: "failed" }]}
        bars={hours.map((count, index) => ({ label: hoursAgo(index), values: [count] }))}
        legend={false}
      />
    </Section>
  );
}
