"use client";

import { EventRow, NARROW } from "#components/events/event-row";
import { HeadCell, Table, TableBody, TableHead } from "#components/ui/table";
import { keyOf } from "#lib/client/event-pages";
import type { EventSummary } from "#lib/contracts/events";

/** The events as lines, newest first. */
export function EventTable({ events, selected }: { events: EventSummary[]; selected: string | null }) {
  return (
    <Table label="Events, newest first" className="max-rail:overflow-x-visible">
      <TableHead>
        <HeadCell>State</HeadCell>
        <HeadCell>Type</HeadCell>
        <HeadCell className={NARROW.subject}>Subject</HeadCell>
        <HeadCell className={NARROW.minor}>Source</HeadCell>
        <HeadCell align="right">Received</HeadCell>
        <HeadCell align="right" className={NARROW.minor}>
          Size
        </HeadCell>
      </TableHead>
      <TableBody>
        {events.map((event) => (
          <EventRow key={keyOf(event)} event={event} selected={event.id === selected} />
        ))}
      </TableBody>
    </Table>
  );
}
