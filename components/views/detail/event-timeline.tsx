"use client";

import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { Section } from "#components/ui/section";
import type { State } from "#components/ui/state-icon";
import { TextLink } from "#components/ui/text-link";
import { Timeline } from "#components/ui/timeline";
import { byPlatformTime } from "#components/views/time/moments";
import { eventsHref } from "#components/views/view-words";
import type { EventSummary } from "#lib/contracts/events";
import type { ViewDetail } from "#lib/contracts/views";

const SHOWN = 100;

/** The events that speak of a record, the newest by the platform's clock first. */
export function EventTimeline({ view }: { view: ViewDetail }) {
  return (
    <Section title="Events" actions={<TextLink href={eventsHref(view.kind, view.id)}>Open in the log</TextLink>}>
      {view.events.length === 0 ? (
        <p className="text-13 text-muted">The events that made it are no longer in the log.</p>
      ) : (
        <Timeline label="Events, newest first" items={byPlatformTime(view.events).map(itemOf)} />
      )}
      {view.events.length === 0 || view.forgotten.length === 0 ? null : (
        <p className="text-12 text-muted">Events that are older than your retention have left the log. What they said stays.</p>
      )}
      {view.events.length < SHOWN ? null : <p className="text-12 text-muted">The {SHOWN} newest are shown. The log has them all.</p>}
    </Section>
  );
}

const itemOf = (event: EventSummary) => ({
  key: event.id,
  state: stateOf(event),
  title: <TextLink href={`/events/${encodeURIComponent(event.id)}`}>{event.title}</TextLink>,
  at: <RelativeTime at={event.created} />,
  detail: (
    <span className="flex flex-wrap items-center gap-x-2 text-12">
      <ResourceId id={event.id} />
      {noteOf(event)}
    </span>
  ),
});

function stateOf({ status, reportsFailure }: EventSummary): State {
  if (status === "failed") return "failed";
  if (status === "pending") return "working";
  return reportsFailure || status === "unrecognised" ? "attention" : "fine";
}

/** What is worth a word beside the event, for those who don't see the icon's hue. */
function noteOf({ status, reportsFailure }: EventSummary): string | null {
  if (status === "failed") return "Could not be applied";
  if (status === "pending") return "Waits to be applied";
  if (status === "unrecognised") return "Of an unknown type";
  return reportsFailure ? "Reports a failure" : null;
}
