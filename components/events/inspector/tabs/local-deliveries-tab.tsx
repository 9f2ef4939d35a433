"use client";

import { useLocalCommands } from "#components/shell/use-local-commands";
import type { State } from "#components/ui/feedback/state-icon";
import { CodeBlock } from "#components/ui/json/code-block";
import { Timeline, type TimelineItem } from "#components/ui/lists/timeline";
import { ExactTime } from "#components/ui/time/exact-time";
import type { EventDetail } from "#lib/contracts/events/events";
import type { LocalDelivery } from "#lib/contracts/events/listeners";

export function LocalDeliveriesTab({ event }: { event: EventDetail }) {
  const commands = useLocalCommands();
  return (
    <div className="flex flex-col gap-5">
      <p className="max-w-prose text-13 text-muted">
        {event.localDeliveries.length === 0
          ? "No local app has received this event. A developer's signalbox listen or replay shows its answers here; they don't change the event's state."
          : "Answers of apps on developers' machines (signalbox listen and replay), newest first. They don't change the event's state."}
      </p>
      {event.localDeliveries.length === 0 ? null : (
        <Timeline label="Local deliveries, newest first" items={event.localDeliveries.map(itemOf)} />
      )}
      {commands ? <CodeBlock title="Replay locally" label="command" code={commands.replay(event.id)} /> : null}
    </div>
  );
}

function itemOf(
  { command, listener, url, at, status, error, durationMs, body, redeliveryId, recordedBy }: LocalDelivery,
  index: number,
): TimelineItem {
  const how = command === "replay" ? "replayed" : redeliveryId === null ? "received live" : "received as a re-delivery";
  return {
    key: `${at} ${index}`,
    state: stateOf(status),
    title: status === null ? `No answer: ${error ?? "unknown"}` : `Answered ${status}`,
    at: (
      <>
        <ExactTime at={at} /> · {durationMs} ms
      </>
    ),
    detail: (
      <>
        <p>
          <span className="break-all font-mono text-12">{url}</span> on {listener}, {how}, with {recordedBy}
        </p>
        {body ? <CodeBlock className="mt-2" label="answer" code={body} /> : null}
      </>
    ),
  };
}

function stateOf(status: number | null): State {
  if (status === null || status >= 500) return "failed";
  return status >= 200 && status < 300 ? "fine" : "attention";
}
