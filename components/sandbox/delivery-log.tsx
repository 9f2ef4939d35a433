"use client";

import { Send } from "lucide-react";
import { ResourceId } from "#components/records/resource-id";
import { StateBadge } from "#components/records/state-badge";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/layout/content-states";
import { Section } from "#components/ui/layout/section";
import { Cell, HeadCell, Row, StateHead, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { Badge, type State } from "#components/ui/primitives/badge";
import { RelativeTime } from "#components/ui/relative-time";
import { useSandboxDeliveries } from "#lib/client/queries/sandbox";
import type { SandboxDelivery } from "#lib/contracts/sandbox";
import { FAULT_LABELS, SENDER_FAULT_LABELS } from "./sandbox-labels.tsx";

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
        <StateHead />
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

function DeliveryRow({ delivery }: { delivery: SandboxDelivery }) {
  const { state, words } = progressOf(delivery);
  return (
    <Row>
      <Cell>
        <StateBadge state={state}>{words}</StateBadge>
      </Cell>
      <Cell>
        <span className="flex max-w-56 items-center gap-2">
          <span className="truncate" title={delivery.type}>
            {delivery.type}
          </span>
          {delivery.fault === null ? null : <Badge>{faultLabel(delivery.fault)}</Badge>}
        </span>
      </Cell>
      <Cell>
        <ResourceId id={delivery.eventId} {...(isInLog(delivery) ? { href: `/events/${delivery.eventId}` } : {})} />
      </Cell>
      <Cell className="w-full min-w-24 max-w-0 truncate font-mono text-12 text-muted" title={responseOf(delivery)}>
        {responseOf(delivery)}
      </Cell>
      <Cell align="right">{delivery.attempts}</Cell>
      <Cell align="right" className="text-muted">
        <RelativeTime at={delivery.createdAt} />
      </Cell>
    </Row>
  );
}

function progressOf({ state, attempts }: SandboxDelivery): { state: State; words: string } {
  if (state === "delivered") return { state: "fine", words: "Delivered" };
  if (state === "failed") return { state: "failed", words: "Failed" };
  return attempts > 1 ? { state: "attention", words: "Retrying" } : { state: "working", words: "Waiting" };
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
