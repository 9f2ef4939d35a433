"use client";

import { Badge } from "#components/ui/badge";
import { EventStatusBadge } from "#components/ui/event-status-badge";
import { ResourceId } from "#components/ui/resource-id";
import { bySubject, resourceHref } from "#lib/client/resource-links";
import type { EventDetail } from "#lib/contracts/events";

/** The state of an event and what it is about, under its title. */
export function EventFacts({ event }: { event: EventDetail }) {
  const subjects = bySubject(event.resources);
  return (
    <dl className="flex flex-wrap items-center gap-x-5 gap-y-1.5 text-13">
      <Fact name="Id">
        <ResourceId id={event.id} />
      </Fact>
      <Fact name="Type">
        <span className="break-all font-mono text-12">{event.type}</span>
      </Fact>
      {subjects.map((subject) => {
        const href = resourceHref(subject);
        return (
          <Fact key={`${subject.kind} ${subject.id}`} name={subject.kind.charAt(0).toUpperCase() + subject.kind.slice(1)}>
            <ResourceId id={subject.id} {...(href === null ? {} : { href })} />
          </Fact>
        );
      })}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 items-baseline gap-1.5">
      <dt className="text-12 text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** The badges beside an event's title. */
export function EventBadges({ event }: { event: EventDetail }) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <EventStatusBadge status={event.status} reportsFailure={event.reportsFailure} />
      {event.conflicts > 0 ? <Badge tone="attention">{event.conflicts === 1 ? "1 conflict" : `${event.conflicts} conflicts`}</Badge> : null}
      {event.repeats > 0 ? <Badge>{event.repeats === 1 ? "1 repeat" : `${event.repeats} repeats`}</Badge> : null}
    </span>
  );
}
