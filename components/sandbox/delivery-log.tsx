"use client";

import { Send } from "lucide-react";
import { DeliveryRow } from "#components/sandbox/delivery-row";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { HeadCell, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { useSandboxDeliveries } from "#lib/client/queries/sandbox";
import type { SandboxDelivery } from "#lib/contracts/sandbox";

export function DeliveryLog() {
  const { data, error, isPending, refetch } = useSandboxDeliveries();
  return (
    <Section
      title="Sent webhooks"
      description={data ? summary(data.data) : "Webhooks that the sandbox sent, with their responses."}
      className="min-w-0"
    >
      {isPending ? (
        <LoadingState what="sent webhooks" />
      ) : error ? (
        <ErrorState what="sent webhooks" error={error} onRetry={() => refetch()} />
      ) : data.data.length === 0 ? (
        <NothingYet icon={<Send aria-hidden />} title="Nothing sent yet">
          Run a scenario or send an event. Each webhook and its response appears here.
        </NothingYet>
      ) : (
        <DeliveryTable deliveries={data.data} />
      )}
    </Section>
  );
}

function DeliveryTable({ deliveries }: { deliveries: SandboxDelivery[] }) {
  return (
    <Table
      label="Webhooks sent by the sandbox"
      className="overflow-x-auto [--sticky-top:0px] min-[1100px]:max-h-[calc(100dvh-160px)] min-[1100px]:overflow-y-auto"
    >
      <TableHead>
        <HeadCell>State</HeadCell>
        <HeadCell>Type</HeadCell>
        <HeadCell>Event</HeadCell>
        <HeadCell>Response</HeadCell>
        <HeadCell align="right">Attempts</HeadCell>
        <HeadCell align="right">Requested</HeadCell>
      </TableHead>
      <TableBody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} />
        ))}
      </TableBody>
    </Table>
  );
}

/** "3 waiting, 94 delivered, 3 failed." */
function summary(deliveries: SandboxDelivery[]): string {
  const count = (state: SandboxDelivery["state"]) => deliveries.filter((delivery) => delivery.state === state).length;
  const newest = deliveries.length >= 100 ? "Newest 100: " : "";
  return `${newest}${count("waiting")} waiting, ${count("delivered")} delivered, ${count("failed")} failed.`;
}
