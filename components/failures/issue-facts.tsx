import { countWords, placeWords, stateWords } from "#components/failures/issue-words";
import { BarChart } from "#components/ui/bar-chart";
import { type KeyValue, KeyValueList } from "#components/ui/key-value-list";
import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { Section } from "#components/ui/section";
import type { Issue } from "#lib/contracts/issues";

/** Since when, how often, where. */
export function IssueFacts({ issue }: { issue: Issue }) {
  return <KeyValueList items={factsOf(issue)} />;
}

function factsOf(issue: Issue): KeyValue[] {
  const place = placeWords(issue);
  return [
    { label: "State", value: stateWords(issue), hint: <RelativeTime at={issue.stateAt} /> },
    { label: "First seen", value: <RelativeTime at={issue.firstSeenAt} /> },
    { label: "Last seen", value: <RelativeTime at={issue.lastSeenAt} /> },
    { label: "Events", value: countWords(issue) },
    { label: "Kind of error", value: <span className="font-mono text-12">{issue.code}</span> },
    { label: "Type", value: <span className="font-mono text-12">{issue.type}</span> },
    ...(place === null ? [] : [{ label: "Place", value: <span className="break-all font-mono text-12">{place}</span> }]),
    {
      label: "Newest",
      value: (
        <ResourceId id={issue.sampleEventId} {...(issue.count > 0 && { href: `/events/${encodeURIComponent(issue.sampleEventId)}` })} />
      ),
    },
  ];
}

/** Failures by the hour. */
export function LastDay({ hours }: { hours: number[] }) {
  const sum = hours.reduce((all, hour) => all + hour, 0);
  const words = sum === 0 ? "Nothing failed this way." : `${sum} failed this way.`;
  const hoursAgo = (index: number) => (index === hours.length - 1 ? "the last hour" : `${hours.length - index} hours ago`);
  return (
    <Section title="The last 24 hours" description={words}>
      <BarChart
        label={`Failures by the hour over the last 24 hours: ${words}`}
        series={[{ label: "Failed", hue: "failed" }]}
        bars={hours.map((count, index) => ({ label: hoursAgo(index), values: [count] }))}
        legend={false}
      />
    </Section>
  );
}
