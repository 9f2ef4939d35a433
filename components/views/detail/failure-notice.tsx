"use client";

import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { LinkButton } from "#components/ui/primitives/link-button";
import { fieldLine } from "#components/views/field-text";
import type { ViewDetail } from "#lib/contracts/views";
import { FAILURE_LABELS } from "./field-labels.tsx";

export function FailureNotice({ view }: { view: ViewDetail }) {
  if (!view.failed) return null;
  const code = fieldLine(view, "errorCode");
  const message = fieldLine(view, "errorMessage");
  const setBy = view.fields.state?.eventId;
  const source = setBy && !view.forgotten.includes(setBy) ? setBy : undefined;
  return (
    <ProblemNotice
      what={FAILURE_LABELS[view.kind]}
      why={message ? `${message}${code && code !== message ? ` (${code})` : ""}` : (code ?? "The platform gave no reason.")}
      fix="The failure is on the platform: fix it there. This page updates when the platform sends the next event."
      {...(source ? { action: <LinkButton href={`/events/${encodeURIComponent(source)}`}>Open the event</LinkButton> } : {})}
    />
  );
}
