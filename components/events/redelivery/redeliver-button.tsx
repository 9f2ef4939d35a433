"use client";

import { RotateCw } from "lucide-react";
import { useState } from "react";
import { shortId } from "#components/records/resource-id";
import { useCommands } from "#components/shell/palette/commands";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button } from "#components/ui/primitives/button";
import { useCounts } from "#lib/client/queries/counts";
import { useRedeliver } from "#lib/client/queries/events/redeliver";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";

type RedeliverButtonProps = { eventId: string; allowed: boolean; primary?: boolean };

const RedeliverChoice = lazyComponent(() => import("./redeliver-choice.tsx").then((module) => module.RedeliverChoice));

/** Re-delivers one event. Applying it twice changes nothing, so it asks only if destinations may get it too. */
export function RedeliverButton({ eventId, allowed, primary = false }: RedeliverButtonProps) {
  const redeliver = useRedeliver(eventId);
  const variant = primary ? "primary" : "secondary";
  const icon = <RotateCw aria-hidden />;
  const { data: counts } = useCounts();
  const [asking, setAsking] = useState(false);
  const send = (destinations: boolean) => {
    setAsking(false);
    tellOutcome(
      redeliver.mutateAsync({ destinations }),
      (progress) => showOutcome(eventId, progress),
      `Couldn't re-deliver ${shortId(eventId)}`,
    );
  };
  const press = () => {
    if (redeliver.isPending) return;
    if (counts?.destinations) setAsking(true);
    else send(false);
  };
  useCommands(allowed ? [{ label: "Re-deliver this event", keys: "r", run: press }] : []);
  if (!allowed) {
    return (
      <Tooltip content="Your role can't re-deliver events. Ask an owner or admin.">
        <Button size="sm" aria-disabled icon={icon}>
          Re-deliver
        </Button>
      </Tooltip>
    );
  }
  return (
    <>
      <Button size="sm" variant={variant} icon={icon} loading={redeliver.isPending} onClick={press}>
        Re-deliver
      </Button>
      {asking ? <RedeliverChoice onClose={() => setAsking(false)} onRedeliver={send} /> : null}
    </>
  );
}

function showOutcome(eventId: string, progress: RedeliveryProgress) {
  const id = shortId(eventId);
  if (progress.state === "running") {
    toast.info(`Re-delivery of ${id} is pending`, { description: "Not attempted within 10 seconds. The attempt will appear here." });
  } else if (progress.failed > 0) {
    toast.error(`Re-delivered ${id}, but it failed again`, { description: "The latest attempt shows why." });
  } else {
    toast.success(`Re-delivered ${id}`, { description: "The event was applied." });
  }
}
