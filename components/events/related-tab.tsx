"use client";

import { EventStatusBadge } from "#components/ui/event-status-badge";
import { RelativeTime } from "#components/ui/relative-time";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/table";
import { TextLink } from "#components/ui/text-link";
import { bySubject } from "#lib/client/resource-links";
import type { EventDetail } from "#lib/contracts/events";

type RelatedTabProps = { event: EventDetail; eventHref: (id: string) => string };

/** Other events of the same document, task or run. */
export function RelatedTab({ event, eventHref }: RelatedTabProps) {
  const [subject] = bySubject(event.resources);
  if (!subject) return <p className="text-13 text-muted">It names no resource, so nothing is known to belong to it.</p>;
  const all = `/events?resource=${encodeURIComponent(`${subject.kind}:${subject.id}`)}`;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-13 text-muted">
        {event.related.length === 0 ? "No other events" : "Other events"} of this {subject.kind}.{" "}
        <TextLink href={all}>Open in the event list</TextLink>
      </p>
      {event.related.length === 0 ? null : (
        <Table label={`Other events of this ${subject.kind}`}>
          <TableHead>
            <HeadCell className="static">State</HeadCell>
            <HeadCell className="static">Type</HeadCell>
            <HeadCell className="static" align="right">
              Received
            </HeadCell>
          </TableHead>
          <TableBody>
            {event.related.map((other) => (
              <Row key={`${other.source} ${other.id}`}>
                <Cell>
                  <EventStatusBadge status={other.status} reportsFailure={other.reportsFailure} />
                </Cell>
                <Cell className="w-full max-w-0 truncate">
                  <RowLink href={eventHref(other.id)}>{other.title}</RowLink>
                </Cell>
                <Cell align="right" className="text-muted">
                  <RelativeTime at={other.receivedAt} inert />
                </Cell>
              </Row>
            ))}
          </TableBody>
        </Table>
      )}
    </div>
  );
}
