"use client";

import { AlarmClock, EyeOff, Undo2 } from "lucide-react";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { DropdownMenu } from "#components/ui/overlay/dropdown-menu";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button } from "#components/ui/primitives/button";
import { useRestoreMissingEvents, useSetAside } from "#lib/client/queries/missing-events";
import { countWords, formatNumber } from "#lib/contracts/counts/format-count";
import type { MissingEventsSetAside, OpenMissingEventFilter, SnoozeTime } from "#lib/contracts/missing-events";

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
      <Tooltip content="Your role can view missing events but not dismiss them. Ask an owner or admin.">
        <Button size="sm" aria-disabled aria-label={`${dismissLabel}: ${what}`}>
          {dismissLabel}
        </Button>
      </Tooltip>
    );
  const undo = (dismissal: string) =>
    tellOutcome(restore.mutateAsync({ dismissal }), ({ restored }) => toast.success(`${words(restored)} open again`), "Couldn't undo it");
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
        align="end"
        trigger={
          <Button size="sm" variant="ghost" aria-label={`Snooze: ${what}`} icon={<AlarmClock aria-hidden />}>
            Snooze
          </Button>
        }
        entries={SNOOZES.map(({ time, label }) => ({ kind: "item", label, onSelect: () => send(time) }))}
      />
      <Button
        size="sm"
        aria-label={`${dismissLabel}: ${what}`}
        {...(count === undefined && { "data-on-key": "e" })}
        icon={<EyeOff aria-hidden />}
        loading={setAside.isPending}
        onClick={() => send()}
      >
        {dismissLabel}
      </Button>
    </div>
  );
}

export function OpenAgain({ id, what, allowed }: { id: string; what: string; allowed: boolean }) {
  const restore = useRestoreMissingEvents();
  if (!allowed) return null;
  const send = () =>
    restore.mutate({ ids: [id] }, { onError: (error) => toast.error("Couldn't keep requests again", { description: error.message }) });
  return (
    <Button size="sm" aria-label={`Open again: ${what}`} icon={<Undo2 aria-hidden />} loading={restore.isPending} onClick={send}>
      Open again
    </Button>
  );
}
