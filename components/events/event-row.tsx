"use client";

import { useRef } from "react";
import { Badge } from "#components/ui/badge";
import { Checkbox } from "#components/ui/checkbox";
import { EventStatusBadge } from "#components/ui/event-status-badge";
import { ResourceId, shortId } from "#components/ui/resource-id";
import { Cell, Row, RowLink } from "#components/ui/table";
import { TimeAgo } from "#components/ui/time-ago";
import { bytesWords } from "#lib/client/bytes";
import { keyOf } from "#lib/client/event-pages";
import { bySubject, resourceHref } from "#lib/client/resource-links";
import type { EventSummary } from "#lib/contracts/events";

/** Columns that go first when the list gets narrow: on a phone, or beside an open event. */
export const NARROW = { minor: "@max-[860px]:hidden", subject: "@max-[560px]:hidden" };

type EventRowProps = {
  event: EventSummary;
  /** Its place among the loaded rows. */
  index: number;
  selected: boolean;
  ticked: boolean;
  /** @param range shift was held */
  onTick: (range: boolean) => void;
};

/** One event of the list: a line of 36 px. */
export function EventRow({ event, index, selected, ticked, onTick }: EventRowProps) {
  const subjects = bySubject(event.resources);
  const shift = useRef(false);
  return (
    <Row selected={selected || ticked} data-event={event.id} data-index={index} data-row-key={keyOf(event)}>
      <Cell className="w-8">
        <span
          className="relative z-1 flex"
          onClickCapture={({ shiftKey }) => {
            shift.current = shiftKey;
          }}
        >
          <Checkbox aria-label={`Select ${event.title} ${event.id}`} checked={ticked} onCheckedChange={() => onTick(shift.current)} />
        </span>
      </Cell>
      <Cell>
        <EventStatusBadge status={event.status} reportsFailure={event.reportsFailure} />
      </Cell>
      <Cell className="w-full max-w-0 @max-[560px]:py-1.5" title={event.type}>
        <div className="flex min-w-0 items-center gap-2">
          <RowLink href={`/events/${encodeURIComponent(event.id)}`} className="max-w-full truncate">
            {event.title}
          </RowLink>
          {event.title === event.type ? null : (
            <span className="@max-[720px]:hidden min-w-0 truncate font-mono text-12 text-faint">{event.type}</span>
          )}
          <Marks event={event} />
        </div>
        {subjects[0] ? (
          <span className="hidden truncate font-mono text-12 text-muted @max-[560px]:block">{shortId(subjects[0].id, 24)}</span>
        ) : null}
      </Cell>
      <Cell className={NARROW.subject}>
        <Subject subjects={subjects} pending={event.status === "pending"} />
      </Cell>
      <Cell className={NARROW.minor}>
        <span className="block max-w-32 truncate text-muted">{event.source}</span>
      </Cell>
      <Cell align="right" className="text-muted">
        <TimeAgo at={event.receivedAt} titled />
      </Cell>
      <Cell align="right" className={`${NARROW.minor} text-muted`}>
        {bytesWords(event.bytes)}
      </Cell>
    </Row>
  );
}

/** What an event speaks of is known once it is applied. */
function Subject({ subjects, pending }: { subjects: EventSummary["resources"]; pending: boolean }) {
  const [first, ...rest] = subjects;
  if (!first) return <span className="text-faint">{pending ? "Not applied yet" : "None named"}</span>;
  const href = resourceHref(first);
  return (
    <span className="flex w-40 items-center justify-between gap-1.5">
      <ResourceId id={first.id} {...(href === null ? {} : { href })} />
      {rest.length === 0 ? null : (
        <span className="text-12 text-faint" title={rest.map(({ kind, id }) => `${kind} ${id}`).join("\n")}>
          +{rest.length}
        </span>
      )}
    </span>
  );
}

function Marks({ event }: { event: EventSummary }) {
  if (event.conflicts === 0 && event.repeats === 0) return null;
  return (
    <span className="ml-auto flex shrink-0 gap-1">
      {event.conflicts === 0 ? null : <Badge tone="attention">{event.conflicts === 1 ? "Conflict" : `${event.conflicts} conflicts`}</Badge>}
      {event.repeats === 0 ? null : (
        <Badge className="@max-[560px]:hidden">{event.repeats === 1 ? "1 repeat" : `${event.repeats} repeats`}</Badge>
      )}
    </span>
  );
}
