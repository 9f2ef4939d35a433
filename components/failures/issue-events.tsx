"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Button } from "#components/ui/button";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { EventStatusBadge } from "#components/ui/event-status-badge";
import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { Section } from "#components/ui/section";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/table";
import { TextLink } from "#components/ui/text-link";
import { issueEventsQuery } from "#lib/client/issues";
import { bySubject, resourceHref } from "#lib/client/resource-links";
import type { EventSummary } from "#lib/contracts/events";

/** The events that ever failed this way, newest first, each with what became of it. */
export function IssueEvents({ issueId }: { issueId: string }) {
  const query = useInfiniteQuery(issueEventsQuery(issueId));
  const events = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section title="Its events" actions={<TextLink href={`/events?issue=${encodeURIComponent(issueId)}`}>Open in the event list</TextLink>}>
      {events.length > 0 ? (
        <>
          <EventsTable events={events} />
          {query.hasNextPage ? (
            <Button className="mt-3" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Load older
            </Button>
          ) : null}
        </>
      ) : query.isPending ? (
        <LoadingState what="its events" rows={5} />
      ) : query.isError ? (
        <ErrorState what="its events" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <p className="py-6 text-center text-muted">The log keeps none of its events any more.</p>
      )}
    </Section>
  );
}

function EventsTable({ events }: { events: EventSummary[] }) {
  return (
    <Table label="Events of this issue, newest first">
      <TableHead>
        <HeadCell>State</HeadCell>
        <HeadCell>Event</HeadCell>
        <HeadCell className="max-[560px]:hidden">Subject</HeadCell>
        <HeadCell align="right">Received</HeadCell>
      </TableHead>
      <TableBody>
        {events.map((event) => (
          <Row key={`${event.source} ${event.id}`}>
            <Cell>
              <EventStatusBadge status={event.status} reportsFailure={event.reportsFailure} />
            </Cell>
            <Cell className="w-full max-w-0 truncate">
              <RowLink href={`/events/${encodeURIComponent(event.id)}`}>{event.title}</RowLink>
              <span className="ml-2 font-mono text-12 text-faint">{event.id}</span>
            </Cell>
            <Cell className="max-[560px]:hidden">
              <Subject event={event} />
            </Cell>
            <Cell align="right" className="text-muted">
              <RelativeTime at={event.receivedAt} />
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function Subject({ event }: { event: EventSummary }) {
  const [subject] = bySubject(event.resources);
  if (!subject) return <span className="text-faint">None named</span>;
  const href = resourceHref(subject);
  return <ResourceId id={subject.id} {...(href === null ? {} : { href })} />;
}
