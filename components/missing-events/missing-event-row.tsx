"use client";

import { ResourceId } from "#components/records/resource-id";
import { ResourceName } from "#components/records/resource-name";
import { StateIcon } from "#components/ui/feedback/state-icon";
import { Badge } from "#components/ui/primitives/badge";
import { LinkButton } from "#components/ui/primitives/link-button";
import { ExactTime } from "#components/ui/time/exact-time";
import { RelativeTime } from "#components/ui/time/relative-time";
import { missingEventResourceHref } from "#lib/client/format/resource-links";
import type { MissingEvent } from "#lib/contracts/missing-events";
import { OpenAgain, SetAside } from "./set-aside.tsx";

const KIND_LABELS = { task: "Task", document: "Document", run: "Run", connection: "Connection", source: "Source" } as const;

const STATE_LABELS = { open: "Possibly missing", snoozed: "Snoozed", dismissed: "Dismissed", closed: "Closed" } as const;

type MissingEventRowProps = {
  missingEvent: MissingEvent;
  canDismiss: boolean;
  /** True if the group already shows the event, the reason and the fix. */
  grouped?: boolean;
};

export function MissingEventRow({ missingEvent, canDismiss, grouped = false }: MissingEventRowProps) {
  const { resource, state, evidence } = missingEvent;
  const open = state === "open";
  const badge = <Badge tone={open ? "attention" : "neutral"}>{STATE_LABELS[state]}</Badge>;
  return (
    <li data-row className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line px-3 py-3">
      <StateIcon state={open ? "attention" : state === "closed" ? "fine" : "neutral"} className="mt-0.5" />
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1.5">
        {grouped ? null : (
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <p className="font-medium">{missingEvent.what}</p>
            {badge}
          </div>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
          <span className="flex min-w-0 items-center gap-1">
            {KIND_LABELS[resource.kind]} <ResourceName resource={resource} href={missingEventResourceHref(resource)} className="max-w-72" />
          </span>
          {evidence.length > 0 ? (
            <span className="flex min-w-0 flex-wrap items-center gap-x-1">
              {evidence.length === 1 ? "Based on event" : "Based on events"}
              {evidence.map((id) => (
                <ResourceId key={id} id={id} href={`/events/${encodeURIComponent(id)}`} />
              ))}
            </span>
          ) : null}
          <span>
            since <RelativeTime at={missingEvent.since} />
          </span>
          {grouped ? badge : null}
        </div>
        {grouped ? null : (
          <div className="max-w-[90ch] break-words text-13 text-muted">
            <p>{missingEvent.why}</p>
            <p>{open ? missingEvent.fix : <Outcome missingEvent={missingEvent} />}</p>
          </div>
        )}
      </div>
      {open && missingEvent.rule === "source_silent" ? (
        <LinkButton size="sm" variant="primary" href={missingEventResourceHref(resource)}>
          Check the source
        </LinkButton>
      ) : null}
      {open ? <SetAside filter={{ ids: [missingEvent.id] }} what={missingEvent.what} allowed={canDismiss} /> : null}
      {state === "snoozed" || state === "dismissed" ? (
        <OpenAgain id={missingEvent.id} what={missingEvent.what} allowed={canDismiss} />
      ) : null}
    </li>
  );
}

function Outcome({ missingEvent: { state, dismissedBy, dismissedAt, snoozedBy, snoozedUntil, closedAt } }: { missingEvent: MissingEvent }) {
  if (state === "closed" && closedAt !== null)
    return (
      <>
        Closed automatically <RelativeTime at={closedAt} />: the event arrived, or is no longer expected.
      </>
    );
  if (state === "snoozed")
    return (
      <>
        Snoozed by {snoozedBy ?? "someone"} until {snoozedUntil === null ? "it happens again" : <ExactTime at={snoozedUntil} />}.
      </>
    );
  return (
    <>
      Dismissed by {dismissedBy ?? "someone"} {dismissedAt === null ? null : <RelativeTime at={dismissedAt} />}. It closes automatically if
      the event arrives.
    </>
  );
}
