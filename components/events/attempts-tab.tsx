"use client";

import { ExactTime } from "#components/ui/exact-time";
import { ResourceId } from "#components/ui/resource-id";
import type { State } from "#components/ui/state-icon";
import { Timeline, type TimelineItem } from "#components/ui/timeline";
import type { Attempt, EventDetail } from "#lib/contracts/events";

const OUTCOMES: Record<Attempt["outcome"], readonly [State, string]> = {
  applied: ["fine", "applied"],
  retrying: ["attention", "failed, tried again by itself"],
  failed: ["failed", "failed"],
};

/** Each try to apply the event, newest first, and the re-deliveries that still wait. */
export function AttemptsTab({ event }: { event: EventDetail }) {
  const tried = new Set(event.attempts.map(({ redeliveryId }) => redeliveryId));
  const waiting = event.deliveries.filter(({ id, state }) => !tried.has(id) && state === "running");
  const asked = new Map(event.deliveries.map((delivery) => [delivery.id, delivery.requestedBy]));
  const items: TimelineItem[] = [
    ...waiting.map((delivery) => ({
      key: delivery.id,
      state: "working" as const,
      title: "Re-delivery waits to be tried",
      at: <ExactTime at={delivery.createdAt} />,
      detail: <RedeliveryWords id={delivery.id} by={delivery.requestedBy} />,
    })),
    ...event.attempts.map((attempt, index) => attemptItem(attempt, index + 1, asked)).toReversed(),
  ];
  if (items.length === 0)
    return <p className="text-13 text-muted">Not tried yet. The worker takes the oldest first, usually within a second.</p>;
  return <Timeline label="Attempts, newest first" items={items} />;
}

/** Each delivery counts its own tries; here they are counted through. */
function attemptItem(attempt: Attempt, number: number, asked: Map<string, string | null>): TimelineItem {
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
        {attempt.redeliveryId === null ? null : <RedeliveryWords id={attempt.redeliveryId} by={asked.get(attempt.redeliveryId) ?? null} />}
      </>
    ),
  };
}

function RedeliveryWords({ id, by }: { id: string; by: string | null }) {
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-12">
      Re-delivery <ResourceId id={id} /> {by === null ? null : <span className="break-all">asked for by {by}</span>}
    </p>
  );
}
