"use client";

import { EventStateBadge } from "#components/records/badges/event-state-badge";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { TextLink } from "#components/ui/layout/text-link";
import { TimeAgo } from "#components/ui/time/time-ago";
import { bySubject } from "#lib/client/format/resource-links";
import type { EventDetail, EventSummary } from "#lib/contracts/events/events";

type RelatedTabProps = { event: EventDetail; eventHref: (id: string) => string };

export function RelatedTab({ event, eventHref }: RelatedTabProps) {
  const [subject] = bySubject(event.resources);
  if (!subject) return <p className="text-13 text-muted">This event has no subject, so there are no related events.</p>;
  const timeline: EventSummary[] = [...event.related, event].sort((a, b) => (a.receivedAt < b.receivedAt ? 1 : -1));
  const all = `/events?resource=${encodeURIComponent(`${subject.kind}:${subject.id}`)}`;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-13 text-muted">
        {event.related.length === 0 ? "No other events" : "Other events"} for this {subject.kind}
        {subject.name === undefined ? null : <span title={subject.id}>, “{subject.name}”</span>}.{" "}
        <TextLink href={all}>Open in event list</TextLink>
      </p>
      {event.related.length === 0 ? null : (
        <Table label={`Events for this ${subject.kind}, newest first`}>
          <TableHead>
            <HeadCell className="static">State</HeadCell>
            <HeadCell className="static">Type</HeadCell>
            <HeadCell className="static" align="right">
              Received
            </HeadCell>
          </TableHead>
          <TableBody>
            {timeline.map((other) => (
              <Row key={`${other.source} ${other.id}`} selected={other.id === event.id}>
                <Cell>
                  <EventStateBadge quiet state={other.state} reportsFailure={other.reportsFailure} />
                </Cell>
                <Cell className="w-full max-w-0 truncate">
                  {other.id === event.id ? (
                    <span aria-current="true">{other.title} (this event)</span>
                  ) : (
                    <RowLink href={eventHref(other.id)}>{other.title}</RowLink>
                  )}
                </Cell>
                <Cell align="right" className="text-muted">
                  <TimeAgo at={other.receivedAt} titled />
                </Cell>
              </Row>
            ))}
          </TableBody>
        </Table>
      )}
    </div>
  );
}
