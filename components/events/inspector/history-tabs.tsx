import { DeliveryTable } from "#components/records/delivery-table";
import { EventStateBadge } from "#components/records/event-state-badge";
import { ResourceId } from "#components/records/resource-id";
import { useLocalCommands } from "#components/shell/use-local-commands";
import { CodeBlock } from "#components/ui/code-block";
import { withFallback } from "#components/ui/layout/content-states";
import { Section } from "#components/ui/layout/section";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { Timeline, type TimelineItem } from "#components/ui/lists/timeline";
import type { State } from "#components/ui/primitives/badge";
import { TextLink } from "#components/ui/primitives/page-link";
import { ExactTime, TimeAgo } from "#components/ui/relative-time";
import { bySubject } from "#lib/client/format/resource-links";
import { useEventDeliveries } from "#lib/client/queries/event-deliveries";
import { visible } from "#lib/contracts/api/plain-text";
import type { Attempt, EventDetail, EventSummary } from "#lib/contracts/events/events";
import type { LocalDelivery } from "#lib/contracts/events/listeners";
import { Timing } from "./timing-tab.tsx";

const OUTCOMES: Record<Attempt["outcome"], readonly [State, string]> = {
  applied: ["fine", "applied"],
  retrying: ["attention", "failed, retried automatically"],
  failed: ["failed", "failed"],
};

export function DeliveryTab({ event }: { event: EventDetail }) {
  return (
    <div className="flex flex-col gap-6">
      <Section title="Attempts">
        <Attempts event={event} />
      </Section>
      <Section title="Destinations">
        <Deliveries eventId={event.id} />
      </Section>
      <Section title="Timing">
        <Timing event={event} />
      </Section>
      <Section title="Local apps">
        <LocalDeliveries event={event} />
      </Section>
    </div>
  );
}

function Attempts({ event }: { event: EventDetail }) {
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

function Deliveries({ eventId }: { eventId: string }) {
  const { data, fallback } = withFallback(useEventDeliveries(eventId), { what: "the deliveries", loading: "deliveries", rows: 2 });
  if (!data) return fallback;
  if (data.length === 0)
    return (
      <p className="text-13 text-muted">
        No destination receives this event. See <TextLink href="/destinations">Destinations</TextLink>.
      </p>
    );
  return <DeliveryTable deliveries={data} label="Deliveries of this event" by="destination" />;
}

function LocalDeliveries({ event }: { event: EventDetail }) {
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

type RelatedTabProps = { event: EventDetail; eventHref: (id: string) => string };

export function RelatedTab({ event, eventHref }: RelatedTabProps) {
  const [subject] = bySubject(event.resources);
  if (!subject) return <p className="text-13 text-muted">This event has no subject, so there are no related events.</p>;
  const timeline: EventSummary[] = [...event.related, event].sort((a, b) => (a.receivedAt < b.receivedAt ? 1 : -1));
  const all = `/events?resource=${encodeURIComponent(`${subject.kind}:${subject.id}`)}`;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-13 text-muted">
        {event.related.length === 0 ? "No other events" : "Other events"} for this {subject.kind}
        {subject.name === undefined ? null : <span title={subject.id}>, “{subject.name}”</span>}.{" "}
        <TextLink href={all}>Open in event list</TextLink>
      </p>
      {event.related.length === 0 ? null : (
        <Table label={`Events for this ${subject.kind}, newest first`} className="@container">
          <TableHead>
            <HeadCell className="static">State</HeadCell>
            <HeadCell className="static">Type</HeadCell>
            <HeadCell className="static" align="right">
              Received
            </HeadCell>
          </TableHead>
          <TableBody>
            {timeline.map((other) => (
              <Row key={`${other.source} ${other.id}`} selected={other.id === event.id}>
                <Cell>
                  <EventStateBadge quiet {...other} />
                </Cell>
                <Cell className="w-full max-w-0 truncate">
                  {other.id === event.id ? (
                    <span aria-current="true">{visible(other.title)} (this event)</span>
                  ) : (
                    <RowLink href={eventHref(other.id)}>{visible(other.title)}</RowLink>
                  )}
                </Cell>
                <Cell align="right" className="text-muted">
                  <TimeAgo at={other.receivedAt} titled />
                </Cell>
              </Row>
            ))}
          </TableBody>
        </Table>
      )}
    </div>
  );
}
