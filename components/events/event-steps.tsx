"use client";

import { RelativeTime } from "#components/ui/relative-time";
import { shortId } from "#components/ui/resource-id";
import { type Step, Stepper } from "#components/ui/stepper";
import { durationWords } from "#components/ui/time-words";
import type { EventDetail } from "#lib/contracts/events";

const FORM_WORDS: Record<EventDetail["verification"]["form"], string> = {
  raw: "raw body",
  reserialized: "re-serialised JSON",
  admitted: "admitted later",
};

/** The stations of an event: where it is, and how long each step took. */
export function EventSteps({ event }: { event: EventDetail }) {
  return <Stepper label="What happened to this event" steps={stepsOf(event)} />;
}

function stepsOf(event: EventDetail): Step[] {
  const { form, secretId } = event.verification;
  return [
    { label: "Occurred", state: "fine", at: <RelativeTime at={event.created} /> },
    { label: "Received", state: "fine", at: <RelativeTime at={event.receivedAt} />, ...took(event.created, event.receivedAt, 1000) },
    {
      label: "Verified",
      state: "fine",
      at: (
        <span title={secretId}>
          {FORM_WORDS[form]}
          <span className="block truncate font-mono">{shortId(secretId, 12)}</span>
        </span>
      ),
    },
    { label: "Stored", state: "fine", at: "committed" },
    lastStep(event),
  ];
}

function lastStep(event: EventDetail): Step {
  if (event.status === "failed") return { label: "Not applied", state: "failed", at: attemptsWords(event.attempts.length) };
  if (event.status === "pending") {
    const tried = event.attempts.length > 0;
    return {
      label: tried ? "Being applied again" : "Waits to be applied",
      state: "working",
      ...(tried && { at: attemptsWords(event.attempts.length) }),
    };
  }
  if (event.appliedAt === null) return { label: "Applied", state: event.status === "unrecognised" ? "attention" : "fine" };
  return {
    label: event.status === "unrecognised" ? "Applied to no view" : "Applied",
    state: event.status === "unrecognised" ? "attention" : "fine",
    at: <RelativeTime at={event.appliedAt} />,
    ...took(event.receivedAt, event.appliedAt, 0),
  };
}

const attemptsWords = (count: number) => (count === 1 ? "after 1 attempt" : `after ${count} attempts`);

/**
 * How long a step took. The platform's clock counts whole seconds and is not
 * ours: a difference below `grain`, or below nothing, is not a duration.
 */
function took(from: string, to: string, grain: number): { took?: string } {
  const ms = Date.parse(to) - Date.parse(from);
  if (Number.isNaN(ms) || ms < -grain) return {};
  return { took: ms < grain ? `under ${durationWords(grain)}` : durationWords(ms) };
}
