"use client";

import { EventTableRow } from "#components/records/event-table-row";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { HeadCell, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { TextLink } from "#components/ui/layout/text-link";
import { bySubject } from "#lib/client/format/resource-links";
import { LATEST_EVENTS, useLatestEvents } from "#lib/client/queries/events/latest-events";

export function LatestEvents() {
  const { data, error, isPending, refetch } = useLatestEvents();
  return (
    <Section title="Latest events" actions={<TextLink href="/events">All events</TextLink>} className="min-w-0">
      {isPending ? (
        <LoadingState what="the latest events" rows={LATEST_EVENTS} />
      ) : !data ? (
        <ErrorState what="the latest events" error={error} onRetry={() => void refetch()} />
      ) : data.data.length === 0 ? (
        <p className="py-6 text-center text-muted">No events received yet.</p>
      ) : (
        <Table label="Latest events">
          <TableHead>
            <HeadCell>State</HeadCell>
            <HeadCell>Event</HeadCell>
            <HeadCell align="right">Received</HeadCell>
          </TableHead>
          <TableBody>
            {data.data.map((event) => (
              <EventTableRow key={`${event.source} ${event.id}`} event={event} beside={bySubject(event.resources)[0]} />
            ))}
          </TableBody>
        </Table>
      )}
    </Section>
  );
}
