"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { EventTableRow } from "#components/ui/event-table-row";
import { LoadOlder } from "#components/ui/load-older";
import { ResourceId } from "#components/ui/resource-id";
import { Section } from "#components/ui/section";
import { Cell, HeadCell, Table, TableBody, TableHead } from "#components/ui/table";
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
          <LoadOlder query={query} className="mt-3" />
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
          <EventTableRow key={`${event.source} ${event.id}`} event={event} beside={event.id}>
            <Cell className="max-[560px]:hidden">
              <Subject event={event} />
            </Cell>
          </EventTableRow>
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
