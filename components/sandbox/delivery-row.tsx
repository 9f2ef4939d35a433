"use client";

import { StateBadge } from "#components/records/badges/state-badge";
import { ResourceId } from "#components/records/resource-id";
import type { State } from "#components/ui/feedback/state-icon";
import { Cell, Row } from "#components/ui/layout/table";
import { Badge } from "#components/ui/primitives/badge";
import { RelativeTime } from "#components/ui/time/relative-time";
import type { SandboxDelivery } from "#lib/contracts/sandbox";
import { FAULT_LABELS, SENDER_FAULT_LABELS } from "./sandbox-labels.tsx";

export function DeliveryRow({ delivery }: { delivery: SandboxDelivery }) {
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
