"use client";

import { RedeliverButton } from "#components/events/redeliver-button";
import { ProblemNotice } from "#components/ui/problem-notice";
import { TextLink } from "#components/ui/text-link";
import type { EventDetail } from "#lib/contracts/events";

type EventNoticesProps = { event: EventDetail; canRedeliver: boolean };

/** What is wrong or strange about an event, the worst first: nobody has to look for it. */
export function EventNotices({ event, canRedeliver }: EventNoticesProps) {
  const notices = [
    event.failure ? <FailureNotice key="failure" event={event} canRedeliver={canRedeliver} /> : null,
    isTriedAgain(event) ? <RetryNotice key="retry" event={event} /> : null,
    event.reportsFailure ? <PlatformNotice key="platform" event={event} /> : null,
    event.status === "unrecognised" ? <UnknownNotice key="unknown" event={event} /> : null,
    event.conflicts > 0 ? <ConflictNotice key="conflicts" event={event} /> : null,
    event.shapeNotes.length > 0 ? <ShapeNotice key="shape" event={event} /> : null,
    event.repeats > event.conflicts ? <RepeatNotice key="repeats" event={event} /> : null,
  ].filter((notice) => notice !== null);
  return notices.length === 0 ? null : <div className="flex flex-col gap-2">{notices}</div>;
}

function FailureNotice({ event, canRedeliver }: EventNoticesProps) {
  if (!event.failure) return null;
  const { what, why, mend } = event.failure;
  const action = (
    <div className="flex flex-wrap items-center gap-3">
      <RedeliverButton key={event.id} eventId={event.id} allowed={canRedeliver} primary />
      {event.issueId === null ? null : <TextLink href={`/failures/${event.issueId}`}>All that fail this way</TextLink>}
    </div>
  );
  return <ProblemNotice what={what} why={why} mend={mend} action={action} />;
}

const isTriedAgain = (event: EventDetail) => event.status === "pending" && event.attempts.at(-1)?.outcome === "retrying";

/** An attempt failed, but it is tried again by itself. */
function RetryNotice({ event }: { event: EventDetail }) {
  const last = event.attempts.at(-1);
  if (!last) return null;
  return (
    <ProblemNotice
      tone="attention"
      what={`Attempt ${last.number} failed: ${last.failureText ?? "the reason is not known"}`}
      mend="It is tried again by itself, each time after a longer pause. Nothing to do yet."
    />
  );
}

function PlatformNotice({ event }: { event: EventDetail }) {
  const message = event.effects.find(({ field }) => field === "errorMessage")?.value;
  return (
    <ProblemNotice
      tone="attention"
      what={typeof message === "string" ? `${event.title}: ${message}` : `${event.title}: the platform reports a failure of its own`}
      why="The platform reports this failure. The webhook itself arrived as it should."
      mend="Mend it on the platform. When it succeeds there, its next event shows here by itself."
      action={event.issueId === null ? undefined : <TextLink href={`/failures/${event.issueId}`}>All that fail this way</TextLink>}
    />
  );
}

function UnknownNotice({ event }: { event: EventDetail }) {
  return (
    <ProblemNotice
      tone="attention"
      what="This type is not in the catalogue"
      why={`“${cut(event.type)}” is not one of the 16 types that the platform documents. The event is kept and changes no view.`}
      mend="Look at the payload. If the type is new, Signalbox has to learn it; then re-deliver."
    />
  );
}

function ConflictNotice({ event }: { event: EventDetail }) {
  const bodies = event.conflicts === 1 ? "Another body" : `${event.conflicts} other bodies`;
  return (
    <ProblemNotice
      tone="attention"
      what={`${bodies} came with this id`}
      why="An id should stand for one event. The first body to arrive is the one that was applied; the others are kept."
      mend="Compare them under Payload and ask the platform which one holds."
    />
  );
}

function ShapeNotice({ event }: { event: EventDetail }) {
  return (
    <ProblemNotice
      tone="attention"
      what="The payload differs from the documented shape"
      why={
        <span className="flex flex-col font-mono text-12">
          {event.shapeNotes.map((note) => (
            <span key={note}>{note}</span>
          ))}
        </span>
      }
      mend={
        event.failure
          ? "This alone refuses no event: the platform may add and leave out fields."
          : "It was accepted all the same: the platform may add and leave out fields."
      }
    />
  );
}

function RepeatNotice({ event }: { event: EventDetail }) {
  const times = event.repeats === 1 ? "once more" : `${event.repeats} times more`;
  return (
    <ProblemNotice
      tone="attention"
      what={`The platform sent this event ${times}`}
      why="The repeats were acknowledged and changed nothing."
    />
  );
}

const cut = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
