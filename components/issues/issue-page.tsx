"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Ellipsis, RotateCw } from "lucide-react";
import { useState } from "react";
import { EventTableRow } from "#components/records/event-table-row";
import { ResourceId, ResourceName } from "#components/records/resource-id";
import { SNOOZE_CHOICES, snoozeFor } from "#components/records/snooze-menu";
import { StateBadge } from "#components/records/state-badge";
import { useCommands } from "#components/shell/palette/commands";
import { BarChart } from "#components/ui/charts/bar-chart";
import type { ChartSeries } from "#components/ui/charts/chart-data";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { ErrorState, LoadingState } from "#components/ui/layout/content-states";
import { type KeyValue, KeyValueList } from "#components/ui/layout/key-value-list";
import { PageHeader } from "#components/ui/layout/page-header";
import { Section } from "#components/ui/layout/section";
import { Cell, HeadCell, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { TextLink } from "#components/ui/layout/text-link";
import { LoadOlder } from "#components/ui/lists/load-older";
import type { MenuEntry } from "#components/ui/overlay/panes/menu-pane";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button, LinkButton } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/relative-time";
import { TimeAgo } from "#components/ui/ticking-time";
import { useClockWords } from "#components/ui/time-format";
import { bySubject, resourceHref } from "#lib/client/format/resource-links";
import { issueSnoozeQuery, useSnoozeIssue } from "#lib/client/queries/alerts";
import { issueEventsQuery, issueQuery } from "#lib/client/queries/issues";
import type { EventSummary } from "#lib/contracts/events/events";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { Issue } from "#lib/contracts/issues";
import { assigneeName, useAssignment } from "./assignees.tsx";
import { ACTION_WORDS, issueEventsWords, originWords, placeWords, STATE_WORDS, stateWords, useIssueAction } from "./issue-state.tsx";

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

const NOT_ALLOWED = "Your role can view issues but not change them. Ask an owner or admin.";

/** The action that ends an issue, or opens it again; the others are in the menu. */
const endingOf = ({ actions }: Issue) => (["resolve", "reopen"] as const).find((action) => actions.includes(action)) ?? actions[0];

function IssueAction({ issue, allowed }: { issue: Issue; allowed: boolean }) {
  const { act, pending } = useIssueAction(issue);
  const action = endingOf(issue);
  useCommands(
    allowed
      ? issue.actions.map((action) => ({
          label: `${ACTION_WORDS[action].label} this issue`,
          ...(action === "resolve" && { keys: "e" }),
          run: () => act(action),
        }))
      : [],
  );
  if (action === undefined) return null;
  return (
    <Tooltip content={allowed ? ACTION_WORDS[action].hint : NOT_ALLOWED}>
      <Button
        icon={ACTION_WORDS[action].icon}
        loading={pending === action}
        {...(allowed ? { onClick: () => act(action) } : { "aria-disabled": true })}
      >
        {ACTION_WORDS[action].label}
      </Button>
    </Tooltip>
  );
}

function MoreActions({ issue, ownId }: { issue: Issue; ownId: string | null }) {
  const { act } = useIssueAction(issue);
  const assignment = useAssignment({ issues: [issue], ownId });
  const others = issue.actions.filter((action) => action !== endingOf(issue));
  return (
    <DropdownMenu
      label="More actions"
      className="max-h-[70vh] max-w-72 overflow-y-auto"
      onOpenChange={(open) => open && assignment.load()}
      trigger={<Button aria-label="More actions" className="px-2" loading={assignment.isPending} icon={<Ellipsis aria-hidden />} />}
      entries={[
        ...others.map((action) => ({
          kind: "item" as const,
          label: ACTION_WORDS[action].label,
          icon: ACTION_WORDS[action].icon,
          onSelect: () => act(action),
        })),
        { kind: "line" },
        { kind: "label", label: "Assign to" },
        ...assignment.entries,
        { kind: "line" },
        { kind: "label", label: "Snooze alerts" },
        ...useSnoozeEntries(issue.id),
      ]}
    />
  );
}

function useSnoozeEntries(id: string): MenuEntry[] {
  const { data } = useQuery(issueSnoozeQuery(id));
  const snooze = useSnoozeIssue(id);
  useCommands(
    data?.snoozed
      ? [{ label: "End the snooze of this issue", run: () => snoozeFor(snooze, "none") }]
      : SNOOZE_CHOICES.map(({ value, label }) => ({
          label: `Snooze this issue ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
          run: () => snoozeFor(snooze, value),
        })),
  );
  if (!data) return [{ kind: "label", label: "Loading…" }];
  const choices = data.snoozed ? [{ value: "none" as const, label: "End the snooze" }] : SNOOZE_CHOICES;
  return choices.map(({ value, label }) => ({ kind: "item", label, onSelect: () => snoozeFor(snooze, value) }));
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

const RedeliverDialog = lazyComponent(() => import("#components/records/redeliver-dialog").then((module) => module.RedeliverDialog));

type RedeliverIssueProps = {
  issueId: string;
  /** The events have no ID and the user may map fields: re-delivered without a mapping they fail again. */
  mappable: boolean;
  allowed: boolean;
};

function RedeliverIssue({ issueId, mappable, allowed }: RedeliverIssueProps) {
  const [open, setOpen] = useState(false);
  const ask = () => setOpen(true);
  useCommands(allowed ? [{ label: "Re-deliver failed events", keys: "r", run: ask }] : []);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {mappable ? (
        <LinkButton variant="primary" size="sm" href={`/settings/field-mapping?issue=${encodeURIComponent(issueId)}`}>
          Map fields
        </LinkButton>
      ) : null}
      {allowed ? (
        <Button variant={mappable ? "secondary" : "primary"} size="sm" icon={<RotateCw aria-hidden />} onClick={ask}>
          Re-deliver failed events
        </Button>
      ) : null}
      <TextLink href={`/events?issue=${encodeURIComponent(issueId)}&state=failed`}>Review them</TextLink>
      {open ? (
        <RedeliverDialog dryRunFirst set={{ filter: { issue: [issueId], state: ["failed"] } }} onClose={() => setOpen(false)} />
      ) : null}
    </div>
  );
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
    { label: "Failed", hue: "failed" },
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
  const events = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section title="Events" actions={<TextLink href={`/events?issue=${encodeURIComponent(issueId)}`}>Open in Events</TextLink>}>
      {events.length > 0 ? (
        <>
          <EventsTable events={events} />
          <LoadOlder query={query} className="mt-3" />
        </>
      ) : query.isPending ? (
        <LoadingState what="events" rows={5} />
      ) : query.isError ? (
        <ErrorState what="events" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <p className="py-6 text-center text-muted">All its events have been deleted.</p>
      )}
    </Section>
  );
}

function EventsTable({ events }: { events: EventSummary[] }) {
  return (
    <Table label="Events of this issue, newest first" className="@container">
      <TableHead>
        <HeadCell>State</HeadCell>
        <HeadCell>Event</HeadCell>
        <HeadCell className="max-[560px]:hidden">Subject</HeadCell>
        <HeadCell align="right">Received</HeadCell>
      </TableHead>
      <TableBody>
        {events.map((event) => (
          <EventTableRow key={`${event.source} ${event.id}`} event={event} beside={besideOf(event)}>
            <Cell className="max-[560px]:hidden">
              <Subject event={event} />
            </Cell>
          </EventTableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** Why it failed says more than its ID. */
const besideOf = ({ id, failedBecause, reportedMessage, lastFailure }: EventSummary) => {
  const why = failedBecause ?? reportedMessage ?? lastFailure;
  return why === null ? { id } : { id, name: why };
};

function Subject({ event }: { event: EventSummary }) {
  const [subject] = bySubject(event.resources);
  if (!subject) return <span className="text-faint">No subject</span>;
  return <ResourceName resource={subject} href={resourceHref(subject)} className="max-w-56" />;
}
