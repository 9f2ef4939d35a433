"use client";

import { EventStateBadge } from "#components/records/badges/event-state-badge";
import { ResourceId } from "#components/records/resource-id";
import { ResourceName } from "#components/records/resource-name";
import { Badge } from "#components/ui/primitives/badge";
import { bySubject, resourceHref } from "#lib/client/format/resource-links";
import { countWords } from "#lib/contracts/counts/format-count";
import type { EventDetail, EventSummary } from "#lib/contracts/events/events";

export function EventDetails({ event }: { event: EventDetail }) {
  const subjects = bySubject(event.resources);
  return (
    <dl className="flex flex-wrap items-center gap-x-5 gap-y-1.5 text-13">
      <Detail name="ID">
        <ResourceId id={event.id} />
      </Detail>
      <Detail name="Type">
        <span className="break-all font-mono text-12">{event.type}</span>
      </Detail>
      {subjects.map((subject) => {
        return (
          <Detail key={`${subject.kind} ${subject.id}`} name={subject.kind.charAt(0).toUpperCase() + subject.kind.slice(1)}>
            <ResourceName resource={subject} href={resourceHref(subject)} className="max-w-72" />
          </Detail>
        );
      })}
    </dl>
  );
}

function Detail({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 items-baseline gap-1.5">
      <dt className="text-12 text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

export function EventBadges({ event }: { event: EventSummary }) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <EventStateBadge state={event.state} reportsFailure={event.reportsFailure} />
      {event.conflicts > 0 ? <Badge tone="attention">{countWords(event.conflicts, "conflict")}</Badge> : null}
      {event.repeats > 0 ? <Badge>{countWords(event.repeats, "repeat")}</Badge> : null}
    </span>
  );
}
