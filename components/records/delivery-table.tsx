import { type Column, DataTable, numberColumn, STATE, timeColumn } from "#components/ui/layout/data-table";
import { RowLink } from "#components/ui/layout/table";
import { RelativeTime } from "#components/ui/relative-time";
import { visible } from "#lib/contracts/api/plain-text";
import type { Delivery } from "#lib/contracts/forwarding/deliveries";
import { DeliveryStateBadge } from "./delivery-looks.tsx";
import { BesideTitle } from "./resource-id.tsx";

type DeliveryTableProps = {
  deliveries: Delivery[];
  label: string;
  /** Column that identifies a row: the event in a destination's list, the destination in an event's. */
  by: "event" | "destination";
};

export function DeliveryTable({ deliveries, label, by }: DeliveryTableProps) {
  return <DataTable label={label} columns={COLUMNS[by]} rows={deliveries} keyOf={({ id }) => id} />;
}

const columnsOf = (identifying: Column<Delivery>, last: Column<Delivery>): Column<Delivery>[] => [
  { ...STATE, cell: ({ state }) => <DeliveryStateBadge state={state} /> },
  identifying,
  {
    head: "Last attempt",
    className: "max-rail:hidden",
    look: "w-1/2 max-w-0 truncate text-muted",
    title: ({ last }) => last?.detail,
    cell: ({ last }) => last?.detail ?? "None yet",
  },
  numberColumn("Attempts", ({ attempts }) => attempts, "text-muted", "max-[560px]:hidden"),
  last,
];

const hrefOf = ({ id }: Delivery) => `/deliveries/${encodeURIComponent(id)}`;

const COLUMNS: Record<DeliveryTableProps["by"], Column<Delivery>[]> = {
  event: columnsOf(
    {
      head: "Event",
      look: "w-1/2 max-w-0 truncate",
      title: ({ event }) => event.type,
      cell: (delivery) => (
        <>
          <RowLink href={hrefOf(delivery)}>{visible(delivery.event.title)}</RowLink>
          <BesideTitle id={delivery.event.id} name={delivery.subjectName} />
        </>
      ),
    },
    timeColumn("Received", ({ event }) => event.receivedAt),
  ),
  destination: columnsOf(
    {
      head: "Destination",
      look: "w-1/2 max-w-0 truncate",
      cell: (delivery) => <RowLink href={hrefOf(delivery)}>{delivery.destination.name}</RowLink>,
    },
    {
      head: "Next attempt",
      align: "right",
      look: "text-muted",
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? "None" : <RelativeTime at={nextAttemptAt} ahead />),
    },
  ),
};
