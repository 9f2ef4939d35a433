import type { ReactNode } from "react";
import { Cell, Row, RowLink } from "#components/ui/layout/table";
import { cn } from "#components/ui/primitives/cn";
import { RelativeTime } from "#components/ui/relative-time";
import type { EventSummary, NamedResource } from "#lib/contracts/events/events";
import { EventStateBadge } from "./event-state-badge.tsx";

type EventTableRowProps = {
  event: EventSummary;
  beside: Partial<Pick<NamedResource, "id" | "name">> | undefined;
  children?: ReactNode;
};

export function EventTableRow({ event, beside, children }: EventTableRowProps) {
  return (
    <Row>
      <Cell>
        <EventStateBadge quiet {...event} />
      </Cell>
      <Cell className="w-full max-w-0 truncate max-[480px]:whitespace-normal" title={event.type}>
        <RowLink href={`/events/${encodeURIComponent(event.id)}`}>{event.title}</RowLink>
        <span className={cn("ml-2 text-12 text-faint max-[480px]:hidden", beside?.name === undefined && "font-mono")} title={beside?.id}>
          {beside?.name ?? beside?.id}
        </span>
      </Cell>
      {children}
      <Cell align="right" className="text-muted">
        <RelativeTime at={event.receivedAt} />
      </Cell>
    </Row>
  );
}
