"use client";

import { Send } from "lucide-react";
import { ResourceId } from "#components/records/resource-id";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { type Column, DataTable, STATE, textColumn, timeColumn } from "#components/ui/layout/data-table";
import { Section } from "#components/ui/layout/section";
import { Badge, StateBadge } from "#components/ui/primitives/badge";
import { useSandboxDeliveries } from "#lib/client/queries/sandbox";
import type { SandboxDelivery } from "#lib/contracts/sandbox";
import { FAULT_LABELS, SENDER_FAULT_LABELS } from "./sandbox-labels.tsx";

export function DeliveryLog() {
  const { data, fallback } = withFallback(useSandboxDeliveries(), { what: "sent webhooks" });
  return (
    <Section
      title="Sent webhooks"
      description={data ? summary(data.data) : "Webhooks that the sandbox sent, with their responses."}
      className="min-w-0"
    >
      {!data ? (
        fallback
      ) : data.data.length === 0 ? (
        <NothingYet icon={<Send />} title="Nothing sent yet">
          Run a scenario or send an event. Each webhook and its response appears here.
        </NothingYet>
      ) : (
        <DataTable
          label="Webhooks sent by the sandbox"
          className="overflow-x-auto [--sticky-top:0px] min-[1100px]:max-h-[calc(100dvh-160px)] min-[1100px]:overflow-y-auto"
          columns={COLUMNS}
          rows={data.data}
          keyOf={({ id }) => id}
        />
      )}
    </Section>
  );
}

/** "3 waiting, 94 delivered, 3 failed." */
function summary(deliveries: SandboxDelivery[]): string {
  const count = (state: SandboxDelivery["state"]) => deliveries.filter((delivery) => delivery.state === state).length;
  const newest = deliveries.length >= 100 ? "Newest 100: " : "";
  return `${newest}${count("waiting")} waiting, ${count("delivered")} delivered, ${count("failed")} failed.`;
}

const COLUMNS: Column<SandboxDelivery>[] = [
  { ...STATE, cell: (delivery) => <Progress delivery={delivery} /> },
  {
    // In one column: beside the forms there is no room for two.
    head: "Event",
    look: "py-1.5",
    cell: (delivery) => (
      <>
        <span className="flex max-w-52 items-center gap-2">
          <span className="truncate" title={delivery.type}>
            {delivery.type}
          </span>
          {delivery.fault === null ? null : <Badge>{faultLabel(delivery.fault)}</Badge>}
        </span>
        <ResourceId id={delivery.eventId} {...(isInLog(delivery) ? { href: `/events/${delivery.eventId}` } : {})} />
      </>
    ),
  },
  textColumn("Response", responseOf, "w-full min-w-24 font-mono text-12 text-muted"),
  { head: "Attempts", align: "right", cell: ({ attempts }) => attempts },
  timeColumn("Requested", ({ createdAt }) => createdAt),
];

function Progress({ delivery: { state, attempts } }: { delivery: SandboxDelivery }) {
  if (state === "delivered") return <StateBadge state="fine">Delivered</StateBadge>;
  if (state === "failed") return <StateBadge state="failed">Failed</StateBadge>;
  return attempts > 1 ? <StateBadge state="attention">Retrying</StateBadge> : <StateBadge state="working">Waiting</StateBadge>;
}

/** A 2xx other than 200 means that the request was quarantined: there is no event to link to. */
const isInLog = ({ state, lastStatus }: SandboxDelivery): boolean => state === "delivered" && lastStatus === 200;

function responseOf({ lastStatus, lastAnswer }: SandboxDelivery): string {
  if (lastAnswer === null) return "";
  return lastStatus === null ? lastAnswer : `${lastStatus} ${lastAnswer}`;
}

function faultLabel(fault: string): string {
  const labels: Record<string, { label: string }> = { ...SENDER_FAULT_LABELS, ...FAULT_LABELS };
  return labels[fault]?.label ?? fault;
}
