import type { ReactNode } from "react";
import { Banner, ProblemNotice } from "#components/ui/feedback/problem-notice";
import { LinkButton } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import type { EventDetail } from "#lib/contracts/events/events";
import { formatNumber } from "#lib/contracts/format-count";
import { RedeliverButton } from "./event-actions.tsx";

type EventNoticesProps = { event: EventDetail; canRedeliver: boolean };

export function EventNotices({ event, canRedeliver }: EventNoticesProps) {
  const notes = notesOf(event);
  const repeated = event.repeats > event.conflicts;
  if (!event.failure && notes.length === 0 && event.firstWith.length === 0 && !repeated) return null;
  return (
    <div className="flex flex-col gap-2">
      {event.failure ? <FailureNotice event={event} canRedeliver={canRedeliver} /> : null}
      {notes.map((note) => (
        <ProblemNotice key={note.what} tone="attention" {...note} />
      ))}
      {event.firstWith.length > 0 ? <FirstNotice firstWith={event.firstWith} /> : null}
      {repeated ? (
        <ProblemNotice
          tone="attention"
          what={`This event was sent ${event.repeats === 1 ? "once more" : `${formatNumber(event.repeats)} more times`}`}
          why="Repeats are acknowledged and change nothing."
        />
      ) : null}
    </div>
  );
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

type Note = { what: string; why?: ReactNode; fix?: string; action?: ReactNode };

function notesOf(event: EventDetail): Note[] {
  const { title, state, attempts, issueId, conflicts, createdNote, shapeNotes } = event;
  const last = attempts.at(-1);
  const action = issueId === null ? undefined : <TextLink href={`/issues/${issueId}`}>View issue</TextLink>;
  const notes: (Note | false | undefined)[] = [
    state === "pending" &&
      last?.outcome === "retrying" && {
        what: `Attempt ${last.number} failed: ${last.failureText ?? "unknown reason"}`,
        fix: "Signalbox retries automatically, waiting longer each time. No action needed yet.",
      },
    event.reportsFailure && {
      what: `${title}: ${event.reportedMessage ?? "the platform reported a failure"}`,
      why: "The failure happened on the platform. The webhook itself arrived correctly.",
      fix: "Fix it on the platform. Once it succeeds, the next event will appear here automatically.",
      action,
    },
    event.repaired && {
      what: "This event failed, and was repaired",
      why: event.lastFailure ?? "The reason is no longer known.",
      fix: "It has been applied since. No action needed.",
      action,
    },
    state === "unrecognised" && {
      what: "Unknown event type",
      why: `“${cut(event.type)}” is not one of the 16 event types that the platform documents. The event is stored but changes no records.`,
      fix: "Check the payload. If the type is new, update Signalbox to a version that supports it, then re-deliver the event.",
    },
    conflicts > 0 && {
      what: `${conflicts === 1 ? "Another body" : `${formatNumber(conflicts)} other bodies`} arrived with this ID`,
      why: "An ID should identify one event. The first body received was applied; the others are stored.",
      fix: "Compare them under Payload and ask the sender which one is correct.",
    },
    createdNote !== null && {
      what: "The event's time isn't in the documented format",
      why: createdNote,
      fix: "The event was still accepted. “created” should be a Unix time in whole seconds. The payload is stored as received.",
    },
    shapeNotes.length > 0 && {
      what: "The payload doesn't match the documentation",
      why: (
        <span className="flex flex-col font-mono text-12">
          {shapeNotes.map((note) => (
            <span key={note}>{note}</span>
          ))}
        </span>
      ),
      fix: "The event was still accepted: the platform may add or omit fields.",
    },
  ];
  return notes.filter((note) => note !== undefined && note !== false);
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

const cut = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
