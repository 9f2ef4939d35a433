"use client";

import { FAULT_WORDS } from "#components/sandbox/sandbox-words";
import { Badge } from "#components/ui/badge";
import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { StateBadge } from "#components/ui/state-badge";
import type { State } from "#components/ui/state-icon";
import { Cell, Row } from "#components/ui/table";
import { type SandboxDelivery, sandboxFault } from "#lib/contracts/sandbox";

/** One webhook: what it was, how it went, what came back. */
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
      <Cell className="w-full min-w-40 max-w-0 truncate font-mono text-12 text-muted" title={answerOf(delivery)}>
        {answerOf(delivery)}
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
  if (state === "given_up") return { state: "failed", words: "Refused" };
  return attempts > 1 ? { state: "attention", words: "Trying again" } : { state: "working", words: "Waiting" };
}

/** A 2xx other than 200 is a receipt into quarantine: there is no event to go to. */
const isInLog = ({ state, lastStatus }: SandboxDelivery): boolean => state === "delivered" && lastStatus === 200;

function answerOf({ lastStatus, lastAnswer }: SandboxDelivery): string {
  if (lastAnswer === null) return "";
  return lastStatus === null ? lastAnswer : `${lastStatus} ${lastAnswer}`;
}

function faultLabel(fault: string): string {
  const known = sandboxFault.safeParse(fault);
  return known.success ? FAULT_WORDS[known.data].label : fault;
}
