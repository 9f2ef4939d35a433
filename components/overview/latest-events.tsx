"use client";

import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { EventTableRow } from "#components/ui/event-table-row";
import { Section } from "#components/ui/section";
import { HeadCell, Table, TableBody, TableHead } from "#components/ui/table";
import { TextLink } from "#components/ui/text-link";
import { LATEST_EVENTS, useLatestEvents } from "#lib/client/latest-events";
import { bySubject } from "#lib/client/resource-links";

/** What came in last. */
export function LatestEvents() {
  const { data, error, isPending, refetch } = useLatestEvents();
  return (
    <Section title="Latest events" actions={<TextLink href="/events">All events</TextLink>} className="min-w-0">
      {isPending ? (
        <LoadingState what="the latest events" rows={LATEST_EVENTS} />
      ) : !data ? (
        <ErrorState what="the latest events" error={error} onRetry={() => void refetch()} />
      ) : data.data.length === 0 ? (
        <p className="py-6 text-center text-muted">No event has come in yet.</p>
      ) : (
        <Table label="Latest events">
          <TableHead>
            <HeadCell>State</HeadCell>
            <HeadCell>Event</HeadCell>
            <HeadCell align="right">Received</HeadCell>
          </TableHead>
          <TableBody>
            {data.data.map((event) => (
              <EventTableRow key={`${event.source} ${event.id}`} event={event} beside={bySubject(event.resources)[0]?.id} />
            ))}
          </TableBody>
        </Table>
      )}
    </Section>
  );
}
