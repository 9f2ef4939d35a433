import { AlarmClock, EyeOff, Undo2 } from "lucide-react";
import { ResourceId, ResourceName } from "#components/records/resource-id";
import { tellFailure, tellOutcome, toast } from "#components/ui/feedback/toast";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Badge, StateIcon } from "#components/ui/primitives/badge";
import { Button, LinkButton, RowButton } from "#components/ui/primitives/button";
import { RefusedButton } from "#components/ui/primitives/icon-button";
import { ExactTime, RelativeTime } from "#components/ui/relative-time";
import { missingEventResourceHref } from "#lib/client/format/resource-links";
import { useRestoreMissingEvents, useSetAside } from "#lib/client/queries/missing-events";
import { visible } from "#lib/contracts/api/plain-text";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { MissingEvent, MissingEventsSetAside, OpenMissingEventFilter, SnoozeTime } from "#lib/contracts/missing-events";

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
            <p className="font-medium">{visible(missingEvent.what)}</p>
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

const SNOOZES: { time: SnoozeTime; label: string }[] = [
  { time: "1h", label: "For 1 hour" },
  { time: "1d", label: "For 1 day" },
  { time: "recurrence", label: "Until it happens again" },
];

const words = (count: number) => countWords(count, "missing event");

type SetAsideProps = {
  filter: OpenMissingEventFilter;
  what: string;
  count?: number;
  allowed: boolean;
};

export function SetAside({ filter, what, count, allowed }: SetAsideProps) {
  const setAside = useSetAside();
  const restore = useRestoreMissingEvents();
  const dismissLabel = count === undefined ? "Dismiss" : `Dismiss ${formatNumber(count)}`;
  if (!allowed)
    return (
      <RefusedButton
        size="sm"
        aria-label={`${dismissLabel}: ${what}`}
        why="Your role can view missing events but not dismiss them. Ask an owner or admin."
      >
        {dismissLabel}
      </RefusedButton>
    );
  const undo = (dismissal: string) =>
    tellOutcome(restore.mutateAsync({ filter: { dismissal } }), ({ restored }) => `${words(restored)} open again`, "Couldn't undo it");
  const done = (result: MissingEventsSetAside, snooze: SnoozeTime | undefined) => {
    const { dismissal } = result;
    if (dismissal === null) return toast.info("Nothing to dismiss", { description: "It may have closed automatically." });
    toast.success(`${words(result.count)} ${snooze === undefined ? "dismissed" : "snoozed"}`, {
      description:
        snooze === undefined ? "Closes automatically if the event arrives." : "Shown again afterwards, unless the event arrives.",
      action: { label: "Undo", onClick: () => undo(dismissal) },
    });
  };
  const send = (snooze?: SnoozeTime) =>
    tellOutcome(
      setAside.mutateAsync({ filter, ...(snooze && { snooze }) }),
      (result) => done(result, snooze),
      `Couldn't ${snooze ? "snooze" : "dismiss"} it`,
    );
  return (
    <div className="flex gap-2">
      <DropdownMenu
        label={`Snooze: ${what}`}
        trigger={
          <RowButton aria-label={`Snooze: ${what}`} icon={<AlarmClock />}>
            Snooze
          </RowButton>
        }
        entries={SNOOZES.map(({ time, label }) => ({ label, onSelect: () => send(time) }))}
      />
      <Button
        size="sm"
        aria-label={`${dismissLabel}: ${what}`}
        {...(count === undefined && { "data-on-key": "e" })}
        icon={<EyeOff />}
        loading={setAside.isPending}
        onClick={() => send()}
      >
        {dismissLabel}
      </Button>
    </div>
  );
}

function OpenAgain({ id, what, allowed }: { id: string; what: string; allowed: boolean }) {
  const restore = useRestoreMissingEvents();
  if (!allowed) return null;
  const send = () => tellFailure(restore.mutateAsync({ filter: { ids: [id] } }), "Couldn't open it again");
  return (
    <Button size="sm" aria-label={`Open again: ${what}`} icon={<Undo2 />} loading={restore.isPending} onClick={send}>
      Open again
    </Button>
  );
}
