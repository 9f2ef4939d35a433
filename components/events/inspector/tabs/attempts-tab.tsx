"use client";

import { ResourceId } from "#components/records/resource-id";
import type { State } from "#components/ui/feedback/state-icon";
import { Timeline, type TimelineItem } from "#components/ui/lists/timeline";
import { ExactTime } from "#components/ui/time/exact-time";
import type { Attempt, EventDetail } from "#lib/contracts/events/events";

const OUTCOMES: Record<Attempt["outcome"], readonly [State, string]> = {
  applied: ["fine", "applied"],
  retrying: ["attention", "failed, retried automatically"],
  failed: ["failed", "failed"],
};

export function AttemptsTab({ event }: { event: EventDetail }) {
  const tried = new Set(event.attempts.map(({ redeliveryId }) => redeliveryId));
  const waiting = event.deliveries.filter(({ id, state }) => !tried.has(id) && state === "running");
  const requesters = new Map(event.deliveries.map((delivery) => [delivery.id, delivery.requestedBy]));
  const items: TimelineItem[] = [
    ...waiting.map((delivery) => ({
      key: delivery.id,
      state: "working" as const,
      title: "Re-delivery pending",
      at: <ExactTime at={delivery.createdAt} />,
      detail: <RedeliveryWords id={delivery.id} by={delivery.requestedBy} />,
    })),
    ...event.attempts.map((attempt, index) => attemptItem(attempt, index + 1, requesters)).toReversed(),
  ];
  if (items.length === 0)
    return <p className="text-13 text-muted">No attempts yet. The worker applies the oldest events first, usually within a second.</p>;
  return <Timeline label="Attempts, newest first" items={items} />;
}

/** Each delivery numbers its own attempts; here they are numbered across deliveries. */
function attemptItem(attempt: Attempt, number: number, requesters: Map<string, string | null>): TimelineItem {
  const [state, word] = OUTCOMES[attempt.outcome];
  return {
    key: `${attempt.at} ${attempt.number} ${attempt.redeliveryId ?? ""}`,
    state,
    title: `Attempt ${number} ${word}`,
    at: <ExactTime at={attempt.at} />,
    detail: (
      <>
        {attempt.failureText === null ? null : <p>{attempt.failureText}</p>}
        {attempt.failureCode === null ? null : <p className="font-mono text-12">{attempt.failureCode}</p>}
        {attempt.redeliveryId === null ? null : (
          <RedeliveryWords id={attempt.redeliveryId} by={requesters.get(attempt.redeliveryId) ?? null} />
        )}
      </>
    ),
  };
}

function RedeliveryWords({ id, by }: { id: string; by: string | null }) {
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-12">
      Re-delivery <ResourceId id={id} /> {by === null ? null : <span className="break-all">requested by {by}</span>}
    </p>
  );
}
