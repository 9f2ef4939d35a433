import { Banner, ProblemNotice } from "#components/ui/feedback/problem-notice";
import { TextLink } from "#components/ui/layout/text-link";
import { LinkButton } from "#components/ui/primitives/button";
import type { EventDetail } from "#lib/contracts/events/events";
import { formatNumber } from "#lib/contracts/format-count";
import { RedeliverButton } from "./event-actions.tsx";

type EventNoticesProps = { event: EventDetail; canRedeliver: boolean };

export function EventNotices({ event, canRedeliver }: EventNoticesProps) {
  const notices = [
    event.failure ? <FailureNotice key="failure" event={event} canRedeliver={canRedeliver} /> : null,
    isRetrying(event) ? <RetryNotice key="retry" event={event} /> : null,
    event.reportsFailure ? <PlatformNotice key="platform" event={event} /> : null,
    event.repaired ? <RepairedNotice key="repaired" event={event} /> : null,
    event.state === "unrecognised" ? <UnknownNotice key="unknown" event={event} /> : null,
    event.conflicts > 0 ? <ConflictNotice key="conflicts" event={event} /> : null,
    event.createdNote === null ? null : <CreatedNotice key="created" note={event.createdNote} />,
    event.shapeNotes.length > 0 ? <ShapeNotice key="shape" event={event} /> : null,
    event.firstWith.length > 0 ? <FirstNotice key="first" firstWith={event.firstWith} /> : null,
    event.repeats > event.conflicts ? <RepeatNotice key="repeats" event={event} /> : null,
  ].filter((notice) => notice !== null);
  return notices.length === 0 ? null : <div className="flex flex-col gap-2">{notices}</div>;
}

function FailureNotice({ event, canRedeliver }: EventNoticesProps) {
  if (!event.failure) return null;
  const { code, what, why, fix } = event.failure;
  // Without an ID it fails again, so mapping fields comes before re-delivery.
  const mappable = code === "missing_id";
  const action = (
    <div className="flex flex-wrap items-center gap-3">
      {mappable ? (
        <LinkButton size="sm" variant="primary" href={`/settings/field-mapping?event=${encodeURIComponent(event.id)}`}>
          Map fields
        </LinkButton>
      ) : null}
      <RedeliverButton key={event.id} eventId={event.id} allowed={canRedeliver} primary={!mappable} />
      {event.issueId === null ? null : <TextLink href={`/issues/${event.issueId}`}>View issue</TextLink>}
    </div>
  );
  return <ProblemNotice what={what} why={why} fix={fix} action={action} />;
}

const isRetrying = (event: EventDetail) => event.state === "pending" && event.attempts.at(-1)?.outcome === "retrying";

function RetryNotice({ event }: { event: EventDetail }) {
  const last = event.attempts.at(-1);
  if (!last) return null;
  return (
    <ProblemNotice
      tone="attention"
      what={`Attempt ${last.number} failed: ${last.failureText ?? "unknown reason"}`}
      fix="Signalbox retries automatically, waiting longer each time. No action needed yet."
    />
  );
}

function PlatformNotice({ event }: { event: EventDetail }) {
  return (
    <ProblemNotice
      tone="attention"
      what={`${event.title}: ${event.reportedMessage ?? "the platform reported a failure"}`}
      why="The failure happened on the platform. The webhook itself arrived correctly."
      fix="Fix it on the platform. Once it succeeds, the next event will appear here automatically."
      action={event.issueId === null ? undefined : <TextLink href={`/issues/${event.issueId}`}>View issue</TextLink>}
    />
  );
}

function RepairedNotice({ event }: { event: EventDetail }) {
  return (
    <ProblemNotice
      tone="attention"
      what="This event failed, and was repaired"
      why={event.lastFailure ?? "The reason is no longer known."}
      fix="It has been applied since. No action needed."
      action={event.issueId === null ? undefined : <TextLink href={`/issues/${event.issueId}`}>View issue</TextLink>}
    />
  );
}

function UnknownNotice({ event }: { event: EventDetail }) {
  return (
    <ProblemNotice
      tone="attention"
      what="Unknown event type"
      why={`“${cut(event.type)}” is not one of the 16 event types that the platform documents. The event is stored but changes no records.`}
      fix="Check the payload. If the type is new, update Signalbox to a version that supports it, then re-deliver the event."
    />
  );
}

function ConflictNotice({ event }: { event: EventDetail }) {
  const bodies = event.conflicts === 1 ? "Another body" : `${formatNumber(event.conflicts)} other bodies`;
  return (
    <ProblemNotice
      tone="attention"
      what={`${bodies} arrived with this ID`}
      why="An ID should identify one event. The first body received was applied; the others are stored."
      fix="Compare them under Payload and ask the sender which one is correct."
    />
  );
}

function CreatedNotice({ note }: { note: string }) {
  return (
    <ProblemNotice
      tone="attention"
      what="The event's time isn't in the documented format"
      why={note}
      fix="The event was still accepted. “created” should be a Unix time in whole seconds. The payload is stored as received."
    />
  );
}

function ShapeNotice({ event }: { event: EventDetail }) {
  return (
    <ProblemNotice
      tone="attention"
      what="The payload doesn't match the documentation"
      why={
        <span className="flex flex-col font-mono text-12">
          {event.shapeNotes.map((note) => (
            <span key={note}>{note}</span>
          ))}
        </span>
      }
      fix="The event was still accepted: the platform may add or omit fields."
    />
  );
}

const MAX_FIRST = 5;

/** Says what no event of this type had before: a fact that may explain a handler that failed. */
function FirstNotice({ firstWith }: { firstWith: string[] }) {
  const more = firstWith.length - MAX_FIRST;
  return (
    <Banner>
      {"First event with "}
      {firstWith.slice(0, MAX_FIRST).map((words, index) => (
        <span key={words}>
          {index === 0 ? "" : ", "}
          <span className="break-all font-mono text-12">{words}</span>
        </span>
      ))}
      {more > 0 ? ` and ${formatNumber(more)} more` : ""}
    </Banner>
  );
}

function RepeatNotice({ event }: { event: EventDetail }) {
  const times = event.repeats === 1 ? "once more" : `${formatNumber(event.repeats)} more times`;
  return <ProblemNotice tone="attention" what={`This event was sent ${times}`} why="Repeats are acknowledged and change nothing." />;
}

const cut = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
