"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { EventTableRow } from "#components/records/event-table-row";
import { ResourceName } from "#components/records/resource-name";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { Cell, HeadCell, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { TextLink } from "#components/ui/layout/text-link";
import { LoadOlder } from "#components/ui/lists/load-older";
import { bySubject, resourceHref } from "#lib/client/format/resource-links";
import { issueEventsQuery } from "#lib/client/queries/issues";
import type { EventSummary } from "#lib/contracts/events/events";

export function IssueEvents({ issueId }: { issueId: string }) {
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
    <Table label="Events of this issue, newest first">
      <TableHead>
        <HeadCell>State</HeadCell>
        <HeadCell>Event</HeadCell>
        <HeadCell className="max-[560px]:hidden">Subject</HeadCell>
        <HeadCell align="right">Received</HeadCell>
      </TableHead>
      <TableBody>
        {events.map((event) => (
          <EventTableRow key={`${event.source} ${event.id}`} event={event} beside={{ id: event.id }}>
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
  if (!subject) return <span className="text-faint">No subject</span>;
  return <ResourceName resource={subject} href={resourceHref(subject)} className="max-w-56" />;
}
