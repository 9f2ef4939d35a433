import { Cell, HeadCell, Row, RowLink, StateHead, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { cn } from "#components/ui/primitives/cn";
import { RelativeTime } from "#components/ui/relative-time";
import type { Delivery, DeliveryState } from "#lib/contracts/forwarding/deliveries";
import { DELIVERY_LOOKS } from "./delivery-looks.tsx";
import { StateBadge } from "./state-badge.tsx";

type DeliveryTableProps = {
  deliveries: Delivery[];
  label: string;
  /** Column that identifies a row: the event in a destination's list, the destination in an event's. */
  by: "event" | "destination";
};

export function DeliveryTable({ deliveries, label, by }: DeliveryTableProps) {
  return (
    <Table label={label}>
      <TableHead>
        <StateHead />
        <HeadCell>{by === "event" ? "Event" : "Destination"}</HeadCell>
        <HeadCell className="max-rail:hidden">Last attempt</HeadCell>
        <HeadCell align="right" className="max-[560px]:hidden">
          Attempts
        </HeadCell>
        <HeadCell align="right">{by === "event" ? "Received" : "Next attempt"}</HeadCell>
      </TableHead>
      <TableBody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} by={by} />
        ))}
      </TableBody>
    </Table>
  );
}

function DeliveryRow({
  delivery: { id, state, event, subjectName, destination, last, attempts, nextAttemptAt },
  by,
}: {
  delivery: Delivery;
  by: DeliveryTableProps["by"];
}) {
  return (
    <Row>
      <Cell>
        <DeliveryStateBadge state={state} />
      </Cell>
      <Cell className="w-1/2 max-w-0 truncate" title={by === "event" ? event.type : undefined}>
        <RowLink href={`/deliveries/${encodeURIComponent(id)}`}>{by === "event" ? event.title : destination.name}</RowLink>
        {by === "event" ? <About id={event.id} name={subjectName} /> : null}
      </Cell>
      <Cell className="w-1/2 max-w-0 truncate text-muted max-rail:hidden" title={last?.detail}>
        {last?.detail ?? "None yet"}
      </Cell>
      <Cell align="right" className="tabular-nums text-muted max-[560px]:hidden">
        {attempts}
      </Cell>
      <Cell align="right" className="text-muted">
        {by === "event" ? (
          <RelativeTime at={event.receivedAt} />
        ) : nextAttemptAt === null ? (
          "None"
        ) : (
          <RelativeTime at={nextAttemptAt} ahead />
        )}
      </Cell>
    </Row>
  );
}

const About = ({ id, name }: { id: string; name: string | undefined }) => (
  <span title={id} className={cn("ml-2 text-12 text-faint max-[480px]:hidden", name === undefined && "font-mono")}>
    {name ?? id}
  </span>
);

const WORDS: Record<DeliveryState, string> = {
  waiting: "Waiting",
  retrying: "Retrying",
  held: "Held",
  delivered: "Delivered",
  exhausted: "Exhausted",
  skipped: "Skipped",
  cancelled: "Cancelled",
};

export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  return <StateBadge state={DELIVERY_LOOKS[state]}>{WORDS[state]}</StateBadge>;
}
