"use client";

import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";
import { Tooltip } from "#components/ui/tooltip";
import { useDismissFinding } from "#lib/client/findings";
import type { Finding } from "#lib/contracts/findings";

/** Sets a suspicion aside; everyone sees by whom. */
export function DismissFinding({ finding: { id, what }, allowed }: { finding: Finding; allowed: boolean }) {
  const dismissing = useDismissFinding();
  if (!allowed)
    return (
      <Tooltip content="Your role may look, but not dismiss. Ask an owner or admin.">
        <Button size="sm" aria-disabled aria-label={`Dismiss: ${what}`}>
          Dismiss
        </Button>
      </Tooltip>
    );
  const press = () =>
    dismissing.mutate(id, {
      onSuccess: () => toast.success("Dismissed", { description: "It closes by itself when the event comes after all." }),
      onError: (error) => toast.error("Could not dismiss it", { description: error.message }),
    });
  return (
    <Button size="sm" aria-label={`Dismiss: ${what}`} loading={dismissing.isPending} onClick={press}>
      Dismiss
    </Button>
  );
}
