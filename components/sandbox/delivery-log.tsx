"use client";

import { Send } from "lucide-react";
import { DeliveryRow } from "#components/sandbox/delivery-row";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/empty-state";
import { Section } from "#components/ui/section";
import { HeadCell, Table, TableBody, TableHead } from "#components/ui/table";
import { useSandboxDeliveries } from "#lib/client/sandbox";
import type { SandboxDelivery } from "#lib/contracts/sandbox";

/** What the platform sent and what it got back, live. */
export function DeliveryLog() {
  const { data, error, isPending, refetch } = useSandboxDeliveries();
  return (
    <Section title="Sent" description={data ? summary(data.data) : "What the platform sent and what it got back."} className="min-w-0">
      {isPending ? (
        <LoadingState what="what was sent" />
      ) : error ? (
        <ErrorState what="what was sent" error={error} onRetry={() => refetch()} />
      ) : data.data.length === 0 ? (
        <NothingYet icon={<Send aria-hidden />} title="Nothing sent yet">
          Tell a story or send one event; each webhook and its answer shows up here.
        </NothingYet>
      ) : (
        <DeliveryTable deliveries={data.data} />
      )}
    </Section>
  );
}

function DeliveryTable({ deliveries }: { deliveries: SandboxDelivery[] }) {
  return (
    <Table label="Webhooks that the sandbox platform sent" className="overflow-x-auto [--sticky-top:0px]">
      <TableHead>
        <HeadCell>State</HeadCell>
        <HeadCell>Type</HeadCell>
        <HeadCell>Event</HeadCell>
        <HeadCell>Answer</HeadCell>
        <HeadCell align="right">Tries</HeadCell>
        <HeadCell align="right">Asked for</HeadCell>
      </TableHead>
      <TableBody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} />
        ))}
      </TableBody>
    </Table>
  );
}

/** "3 wait, 94 delivered, 3 given up." */
function summary(deliveries: SandboxDelivery[]): string {
  const count = (state: SandboxDelivery["state"]) => deliveries.filter((delivery) => delivery.state === state).length;
  const newest = deliveries.length >= 100 ? "Of the newest 100: " : "";
  return `${newest}${count("waiting")} waiting, ${count("delivered")} delivered, ${count("given_up")} given up.`;
}
