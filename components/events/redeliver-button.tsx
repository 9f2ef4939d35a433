"use client";

import { RotateCw } from "lucide-react";
import { useCommands } from "#components/shell/commands";
import { Button } from "#components/ui/button";
import { shortId } from "#components/ui/resource-id";
import { toast } from "#components/ui/toast";
import { Tooltip } from "#components/ui/tooltip";
import { useRedeliver } from "#lib/client/redelivery";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";

type RedeliverButtonProps = { eventId: string; allowed: boolean; primary?: boolean };

/** Delivers one event again. It asks nothing: applying an event twice changes nothing. */
export function RedeliverButton({ eventId, allowed, primary = false }: RedeliverButtonProps) {
  const redeliver = useRedeliver(eventId);
  const variant = primary ? "primary" : "secondary";
  const icon = <RotateCw aria-hidden />;
  const press = () => {
    if (redeliver.isPending) return;
    redeliver.mutate(undefined, {
      onSuccess: (progress) => sayOutcome(eventId, progress),
      onError: (error) => toast.error(`Could not re-deliver ${shortId(eventId)}`, { description: error.message }),
    });
  };
  useCommands(allowed ? [{ label: "Re-deliver this event", keys: "r", run: press }] : []);
  if (!allowed) {
    return (
      <Tooltip content="Your role may look, but not re-deliver. Ask an owner or admin.">
        <Button size="sm" aria-disabled icon={icon}>
          Re-deliver
        </Button>
      </Tooltip>
    );
  }
  return (
    <Button size="sm" variant={variant} icon={icon} loading={redeliver.isPending} onClick={press}>
      Re-deliver
    </Button>
  );
}

function sayOutcome(eventId: string, progress: RedeliveryProgress) {
  const id = shortId(eventId);
  if (progress.state === "running") {
    toast.info(`Re-delivery of ${id} is waiting`, { description: "It was not tried within 10 seconds. Its attempt will show here." });
  } else if (progress.failed > 0) {
    toast.error(`Re-delivered ${id}: it failed again`, { description: "The newest attempt says why." });
  } else {
    toast.success(`Re-delivered ${id}`, { description: "It was applied." });
  }
}
