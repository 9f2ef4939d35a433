"use client";

import { LinkButton } from "#components/ui/link-button";
import { ProblemNotice } from "#components/ui/problem-notice";
import { FAILURE_WORDS } from "#components/views/detail/field-words";
import { fieldLine } from "#components/views/field-text";
import type { ViewDetail } from "#lib/contracts/views";

/** A failed record's first words: what failed, the platform's reason, and the event that says so. */
export function FailureNotice({ view }: { view: ViewDetail }) {
  if (!view.failed) return null;
  const code = fieldLine(view, "errorCode");
  const message = fieldLine(view, "errorMessage");
  const setBy = view.fields.state?.eventId;
  const source = setBy && !view.forgotten.includes(setBy) ? setBy : undefined;
  return (
    <ProblemNotice
      what={FAILURE_WORDS[view.kind]}
      why={message ? `${message}${code && code !== message ? ` (${code})` : ""}` : (code ?? "The platform sent no reason.")}
      mend="The failure is on the platform's side: mend it there. This page follows as soon as the platform sends the next event."
      {...(source ? { action: <LinkButton href={`/events/${encodeURIComponent(source)}`}>Open the event</LinkButton> } : {})}
    />
  );
}
