"use client";

import { RotateCw } from "lucide-react";
import { Button } from "#components/ui/button";
import { shortId } from "#components/ui/resource-id";
import { toast } from "#components/ui/toast";
import { Tooltip } from "#components/ui/tooltip";
import { useRedeliver } from "#lib/client/redelivery";

/** Delivers one failed event again and says how it went. */
export function RedeliverFailure({ eventId, allowed }: { eventId: string; allowed: boolean }) {
  const redeliver = useRedeliver(eventId);
  const id = shortId(eventId);
  const look = { size: "sm", icon: <RotateCw aria-hidden />, className: "relative z-1 max-[520px]:ml-7" } as const;
  if (!allowed) {
    return (
      <Tooltip content="Your role may look, but not re-deliver. Ask an owner or admin.">
        <Button {...look} aria-disabled aria-label={`Re-deliver ${id}`}>
          Re-deliver
        </Button>
      </Tooltip>
    );
  }
  const press = () =>
    redeliver.mutate(undefined, {
      onSuccess: ({ state, failed }) => {
        if (state === "running") toast.info(`Re-delivery of ${id} is waiting`, { description: "It was not tried within 10 seconds." });
        else if (failed > 0) toast.error(`Re-delivered ${id}: it failed again`, { description: "Open it to see why." });
        else toast.success(`Re-delivered ${id}`, { description: "It was applied." });
      },
      onError: (error) => toast.error(`Could not re-deliver ${id}`, { description: error.message }),
    });
  return (
    <Button {...look} aria-label={`Re-deliver ${id}`} loading={redeliver.isPending} onClick={press}>
      Re-deliver
    </Button>
  );
}
