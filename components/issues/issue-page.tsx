"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { eventColumns } from "#components/records/event-columns";
import { ResourceId, ResourceName } from "#components/records/resource-id";
import { REPORTED } from "#components/records/volume-bars";
import { BarChart } from "#components/ui/charts/bar-chart";
import type { ChartSeries } from "#components/ui/charts/chart-data";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { withFallback } from "#components/ui/layout/content-states";
import { DataTable } from "#components/ui/layout/data-table";
import { type KeyValue, KeyValueList } from "#components/ui/layout/key-value-list";
import { PageHeader } from "#components/ui/layout/page-header";
import { Section } from "#components/ui/layout/section";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { StateBadge } from "#components/ui/primitives/badge";
import { LinkButton } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { RelativeTime, TimeAgo } from "#components/ui/relative-time";
import { useClockWords } from "#components/ui/time-format";
import { bySubject, resourceHref } from "#lib/client/format/resource-links";
import { issueSnoozeQuery } from "#lib/client/queries/alerts";
import { issueEventsQuery, issueQuery } from "#lib/client/queries/issues";
import type { EventSummary } from "#lib/contracts/events/events";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { Issue } from "#lib/contracts/issues";
import { IssueAction, MoreActions, RedeliverIssue } from "./issue-actions.tsx";
import { assigneeName, issueEventsWords, originWords, placeWords, STATE_WORDS, stateWords } from "./issue-state.tsx";

type IssuePageProps = { id: string; ownId: string | null; canManage: boolean; canRedeliver: boolean; canMapFields: boolean };

export function IssuePage({ id, ownId, canManage, canRedeliver, canMapFields }: IssuePageProps) {
  const { data: issue, fallback } = withFallback(useQuery(issueQuery(id)), { what: "this issue", loading: "the issue", rows: 8 });
  if (!issue) return fallback;
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
            <IssueAction issue={issue} allowed={canManage} />
            {canManage ? <MoreActions issue={issue} ownId={ownId} /> : null}
          </>
        }
      />
      <ProblemNotice
        tone={issue.origin === "platform" || issue.origin === "schema" ? "attention" : "failed"}
        what={why}
        fix={fix}
        {...(ours &&
          issue.failing > 0 && {
            action: <RedeliverIssue issueId={issue.id} mappable={canMapFields && issue.code === "missing_id"} allowed={canRedeliver} />,
          })}
        {...(issue.origin === "forwarding" && { action: <OpenDestination issue={issue} /> })}
        {...(issue.origin === "schema" && { action: <OpenEventType issue={issue} /> })}
      />
      <div className="grid gap-6 lg:grid-cols-2">
        <IssueDetails issue={issue} />
        <LastDay issue={issue} />
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

/** Its place is the type's ID and the field's path. */
function OpenEventType({ issue: { place } }: { issue: Issue }) {
  const [id = ""] = place.split(" ", 1);
  return (
    <LinkButton variant="primary" size="sm" href={`/event-types/${encodeURIComponent(id)}`}>
      View event type
    </LinkButton>
  );
}

/** Returns a fact of the issue while its alerts are snoozed. */
function useSnoozeFact(id: string): KeyValue[] {
  const { data } = useQuery(issueSnoozeQuery(id));
  if (!data?.snoozed) return [];
  const { until, by } = data.snoozed;
  const ends =
    until === null ? (
      "Snoozed until it recurs"
    ) : (
      <>
        Snoozed, ends <TimeAgo at={until} ahead />
      </>
    );
  return [{ label: "Alerts", value: ends, hint: `by ${by}` }];
}

function IssueDetails({ issue }: { issue: Issue }) {
  return <KeyValueList items={[...factsOf(issue), ...useSnoozeFact(issue.id)]} />;
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

const HOUR_MS = 3_600_000;

function LastDay({ issue: { origin, lastDay, lastDayRepaired, lastDayFrom } }: { issue: Issue }) {
  const clockWords = useClockWords(false);
  const sum = (hours: number[]) => hours.reduce((all, hour) => all + hour, 0);
  const repaired = origin === "processing" ? lastDayRepaired : [];
  const repairs = sum(repaired) === 0 ? "" : `, ${formatNumber(sum(repaired))} repaired`;
  const words = sum(lastDay) === 0 ? "No failures." : `${countWords(sum(lastDay), "failure")}${repairs}.`;
  const bars = lastDay.map((count, index) => {
    const at = Date.parse(lastDayFrom) + index * HOUR_MS;
    const fixed = repaired[index] ?? 0;
    return { at: new Date(at).toISOString(), label: `Hour from ${clockWords(at)}`, values: [fixed, count - fixed] };
  });
  const series: ChartSeries[] = [
    { label: "Repaired", hue: "attention" },
    origin === "platform" ? REPORTED : { label: "Failed", hue: "failed" },
  ];
  return (
    <Section title="Last 24 hours" description={words}>
      {sum(lastDay) === 0 ? null : (
        <BarChart label={`Failures per hour over the last 24 hours: ${words}`} series={series} bars={bars} legend={repairs !== ""} />
      )}
    </Section>
  );
}

function IssueEvents({ issueId }: { issueId: string }) {
  const query = useInfiniteQuery(issueEventsQuery(issueId));
  const { rows: events, fallback } = paged(query, { what: "events", rows: 5 });
  return (
    <Section title="Events" actions={<TextLink href={`/events?issue=${encodeURIComponent(issueId)}`}>Open in Events</TextLink>}>
      {events.length > 0 ? (
        <>
          <DataTable
            label="Events of this issue, newest first"
            className="@container"
            columns={EVENT_COLUMNS}
            rows={events}
            keyOf={({ source, id }) => `${source} ${id}`}
          />
          <LoadOlder query={query} className="mt-3" />
        </>
      ) : (
        (fallback ?? <p className="py-6 text-center text-muted">All its events have been deleted.</p>)
      )}
    </Section>
  );
}

/** Why it failed says more than its ID. */
function besideOf({ id, failedBecause, reportedMessage, lastFailure }: EventSummary) {
  const why = failedBecause ?? reportedMessage ?? lastFailure;
  return why === null ? { id } : { id, name: why };
}

const EVENT_COLUMNS = eventColumns(besideOf, {
  head: "Subject",
  className: "max-[560px]:hidden",
  cell: (event) => <Subject event={event} />,
});

function Subject({ event }: { event: EventSummary }) {
  const [subject] = bySubject(event.resources);
  if (!subject) return <bdi className="block max-w-56 truncate text-faint">{event.about ?? "No subject"}</bdi>;
  return <ResourceName resource={subject} href={resourceHref(subject)} className="max-w-56" />;
}
