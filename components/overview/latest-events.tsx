"use client";

import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { EventStatusBadge } from "#components/ui/event-status-badge";
import { RelativeTime } from "#components/ui/relative-time";
import { Section } from "#components/ui/section";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/table";
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
              <Row key={`${event.source} ${event.id}`}>
                <Cell>
                  <EventStatusBadge status={event.status} reportsFailure={event.reportsFailure} />
                </Cell>
                <Cell className="w-full max-w-0 truncate">
                  <RowLink href={`/events/${encodeURIComponent(event.id)}`}>{event.title}</RowLink>
                  <span className="ml-2 font-mono text-12 text-faint">{bySubject(event.resources)[0]?.id}</span>
                </Cell>
                <Cell align="right" className="text-muted">
                  <RelativeTime at={event.receivedAt} />
                </Cell>
              </Row>
            ))}
          </TableBody>
        </Table>
      )}
    </Section>
  );
}
