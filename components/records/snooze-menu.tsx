import type { UseMutationResult } from "@tanstack/react-query";
import { AlarmClock, AlarmClockOff } from "lucide-react";
import { tellOutcome } from "#components/ui/feedback/toast";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button } from "#components/ui/primitives/button";
import { TimeAgo } from "#components/ui/relative-time";
import type { Snoozed, SnoozeFor } from "#lib/contracts/alerts";

export const SNOOZE_CHOICES: { value: SnoozeFor; label: string }[] = [
  { value: "1h", label: "For 1 hour" },
  { value: "1d", label: "For a day" },
  { value: "recurrence", label: "Until it happens again" },
];

type SnoozeMenuProps = { what: string; snoozed: Snoozed["snoozed"]; snooze: UseMutationResult<Snoozed, Error, { for: SnoozeFor }> };

export const snoozeFor = (snooze: SnoozeMenuProps["snooze"], lasts: SnoozeFor) =>
  tellOutcome(snooze.mutateAsync({ for: lasts }), lasts === "none" ? "Alerts are sent again" : "Snoozed", "Couldn't snooze");

export function SnoozeMenu({ what, snoozed, snooze }: SnoozeMenuProps) {
  const act = (lasts: SnoozeFor) => snoozeFor(snooze, lasts);
  if (snoozed)
    return (
      <Tooltip content={`Snoozed by ${snoozed.by}`}>
        <Button icon={<AlarmClockOff />} loading={snooze.isPending} onClick={() => act("none")}>
          <span>
            {snoozed.until === null ? (
              "Snoozed until it recurs"
            ) : (
              <>
                Snoozed, ends <TimeAgo at={snoozed.until} ahead />
              </>
            )}
            <span className="sr-only">: end the snooze of {what}</span>
          </span>
        </Button>
      </Tooltip>
    );
  return (
    <DropdownMenu
      label={`Snooze alerts: ${what}`}
      trigger={
        <Button icon={<AlarmClock />} loading={snooze.isPending} aria-label={`Snooze alerts: ${what}`}>
          Snooze
        </Button>
      }
      entries={SNOOZE_CHOICES.map(({ value, label }) => ({ label, onSelect: () => act(value) }))}
    />
  );
}
