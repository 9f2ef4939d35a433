import { useRef } from "react";
import { EventStateBadge } from "#components/records/event-state-badge";
import { ResourceName, shortId } from "#components/records/resource-id";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { Cell, Row, RowLink } from "#components/ui/layout/table";
import { Badge } from "#components/ui/primitives/badge";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { cn } from "#components/ui/primitives/cn";
import { TimeAgo } from "#components/ui/relative-time";
import { bytesWords } from "#lib/client/format/bytes";
import { bySubject, resourceHref } from "#lib/client/format/resource-links";
import { keyOf } from "#lib/client/queries/events";
import { visible } from "#lib/contracts/api/plain-text";
import type { EventSummary } from "#lib/contracts/events/events";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { HIDDEN } from "./use-columns.tsx";

const FieldCells = lazyComponent(() => import("./payload-columns.tsx").then((module) => module.FieldCells), true);

/** Columns hidden first when the list is narrow: on a phone, or next to an open event. The time that it is ordered by stays. */
export const NARROW = {
  occurred: "@max-[1000px]:not-in-data-[order=occurred]:hidden",
  received: "@max-[1000px]:in-data-[order=occurred]:hidden",
  minor: "@max-[860px]:hidden",
  subject: "@max-[560px]:hidden",
};

type EventRowProps = {
  event: EventSummary;
  fields: string[];
  index: number;
  selected: boolean;
  ticked: boolean;
  /** `range` is true if Shift was held. */
  onTick: (range: boolean) => void;
};

export function EventRow({ event, fields, index, selected, ticked, onTick }: EventRowProps) {
  const subjects = bySubject(event.resources);
  const why = whyOf(event);
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
        <EventStateBadge quiet {...event} />
      </Cell>
      <Cell className={cn("w-full max-w-0", why === null ? "@max-[720px]:py-1.5" : "@max-[1100px]:py-1.5")} title={visible(event.type)}>
        <div className={cn("flex min-w-0 items-center gap-2", why !== null && hasNoSubject(event) && OVER_SUBJECT)}>
          <RowLink href={`/events/${encodeURIComponent(event.id)}`} className="max-w-full truncate">
            {visible(event.title)}
          </RowLink>
          <Told event={event} why={why} at={BESIDE} />
          {event.about || event.title === event.type || why ? null : (
            <span className={`${BESIDE.about} font-mono text-faint`}>{visible(event.type)}</span>
          )}
          <Marks event={event} />
        </div>
        <Told event={event} why={why} at={BELOW} />
        {subjects[0] && !event.about ? (
          <span className={cn("hidden truncate text-12 text-muted @max-[560px]:block", subjects[0].name === undefined && "font-mono")}>
            <bdi>{subjects[0].name === undefined ? shortId(subjects[0].id, 24) : visible(subjects[0].name)}</bdi>
          </span>
        ) : null}
      </Cell>
      <Cell className={cn(NARROW.subject, HIDDEN.subject, why !== null && "@max-[1100px]:pt-2 @max-[1100px]:align-top")}>
        <Subject subjects={subjects} event={event} />
      </Cell>
      {fields.length === 0 ? null : <FieldCells event={event} fields={fields} />}
      <Cell className={`${NARROW.minor} ${HIDDEN.source}`}>
        <span className="block max-w-32 truncate text-muted">{event.source}</span>
      </Cell>
      <Cell align="right" className={`${NARROW.occurred} ${HIDDEN.occurred} text-muted`}>
        <TimeAgo at={event.created} titled />
      </Cell>
      <Cell align="right" className={`${NARROW.received} ${HIDDEN.received} text-muted`}>
        <TimeAgo at={event.receivedAt} titled />
      </Cell>
      <Cell align="right" className={`${NARROW.minor} ${HIDDEN.size} text-muted`}>
        {bytesWords(event.bytes)}
      </Cell>
    </Row>
  );
}

type Why = { words: string; look: string };

/** Why it failed, what failure it reports, or why it failed before it was repaired; null for any other event. */
function whyOf({ failedBecause, reportedMessage, repaired, lastFailure }: EventSummary): Why | null {
  if (failedBecause !== null) return { words: failedBecause, look: "text-failed" };
  if (reportedMessage !== null) return { words: reportedMessage, look: "text-attention" };
  return repaired && lastFailure !== null ? { words: `Failed before: ${lastFailure}`, look: "text-muted" } : null;
}

/** Lets why it failed go on over the column of subjects, where that is empty or above it. Widths are those of a subject. */
const OVER_SUBJECT =
  "@min-[560px]:not-in-data-without-subject:w-[calc(100%+11rem)] @min-[1000px]:not-in-data-without-subject:w-[calc(100%+17rem)]";

/** They shrink first: a title that loses part of a pixel ends in an ellipsis. */
const BESIDE = {
  about: "@max-[720px]:hidden min-w-0 shrink-[99999] truncate text-12",
  why: "@max-[1100px]:hidden min-w-0 shrink-[99999] truncate text-12",
};
/** On a phone, and next to an open event, there is no room beside the title. Why it failed needs more than what it is about. */
const BELOW = { about: "hidden truncate text-12 @max-[720px]:block", why: `hidden truncate text-12 @max-[1100px]:block ${OVER_SUBJECT}` };

const hasNoSubject = ({ resources, about }: EventSummary) => resources.length === 0 && !about;

type ToldProps = { event: EventSummary; why: Why | null; at: typeof BESIDE };

/** Shows what the event is about and why it failed. */
function Told({ event: { about, resources }, why, at }: ToldProps) {
  return (
    <>
      {about && <About about={about} className={cn(at.about, "text-muted", resources.length === 0 && IN_SUBJECT)} />}
      {why && (
        <span className={cn(at.why, why.look)} title={visible(why.words)}>
          {visible(why.words)}
        </span>
      )}
    </>
  );
}

/** Where the column of subjects is shown, it says what an event without one is about. */
const IN_SUBJECT = "@min-[560px]:not-in-data-without-subject:hidden";

const About = ({ about, className }: { about: string; className: string }) => (
  <bdi className={className} title={visible(about)}>
    {visible(about)}
  </bdi>
);

function Subject({ subjects, event }: { subjects: EventSummary["resources"]; event: EventSummary }) {
  const [first, ...rest] = subjects;
  if (!first && event.about) return <About about={event.about} className="block w-64 truncate @max-[1000px]:w-40" />;
  if (!first && whyOf(event) !== null) return <span className="block w-64 @max-[1000px]:w-40" />;
  if (!first) return <span className="text-faint">{event.state === "pending" ? "Not applied yet" : "No subject"}</span>;
  const href = resourceHref(first);
  return (
    <span className="flex w-64 items-center @max-[1000px]:w-40 justify-between gap-1.5">
      <ResourceName resource={first} href={href} />
      {rest.length === 0 ? null : (
        <span
          className="shrink-0 text-12 text-faint"
          title={visible(rest.map(({ kind, id, name }) => `${kind} ${name === undefined ? id : `${name} (${id})`}`).join("\n"))}
        >
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
      {event.conflicts === 0 ? null : (
        <Badge tone="attention">{event.conflicts === 1 ? "Conflict" : `${formatNumber(event.conflicts)} conflicts`}</Badge>
      )}
      {event.repeats === 0 ? null : <Badge className="@max-[560px]:hidden">{countWords(event.repeats, "repeat")}</Badge>}
    </span>
  );
}
