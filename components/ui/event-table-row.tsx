import type { ReactNode } from "react";
import { EventStatusBadge } from "#components/ui/event-status-badge";
import { RelativeTime } from "#components/ui/relative-time";
import { Cell, Row, RowLink } from "#components/ui/table";
import type { EventSummary } from "#lib/contracts/events";

type EventTableRowProps = {
  event: EventSummary;
  /** Small, behind the title: an id. */
  beside: string | undefined;
  /** Cells between the title and the time. */
  children?: ReactNode;
};

/** An event in a short table beside other things: its state, what it is, when it came. */
export function EventTableRow({ event, beside, children }: EventTableRowProps) {
  return (
    <Row>
      <Cell>
        <EventStatusBadge status={event.status} reportsFailure={event.reportsFailure} />
      </Cell>
      <Cell className="w-full max-w-0 truncate max-[480px]:whitespace-normal" title={event.type}>
        <RowLink href={`/events/${encodeURIComponent(event.id)}`}>{event.title}</RowLink>
        <span className="ml-2 font-mono text-12 text-faint max-[480px]:hidden">{beside}</span>
      </Cell>
      {children}
      <Cell align="right" className="text-muted">
        <RelativeTime at={event.receivedAt} />
      </Cell>
    </Row>
  );
}
