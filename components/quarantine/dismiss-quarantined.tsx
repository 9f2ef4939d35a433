"use client";

import { EyeOff, Undo2 } from "lucide-react";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button } from "#components/ui/primitives/button";
import { useDismiss, useRestore } from "#lib/client/queries/quarantine/dismissals";
import { countWords } from "#lib/contracts/counts/format-count";
import type { DismissalFilter, DismissalResult } from "#lib/contracts/quarantine";

const NOT_ALLOWED = "Your role can view quarantined requests but not dismiss them. Ask an owner or admin.";

type DismissButtonProps = { filter: DismissalFilter; label: string; name?: string; allowed: boolean; onDone?: () => void };

export function DismissButton({ filter, label, name, allowed, onDone }: DismissButtonProps) {
  const dismiss = useDismiss();
  const restore = useRestore();
  const icon = <EyeOff aria-hidden />;
  const named = name === undefined ? {} : { "aria-label": name };
  if (!allowed)
    return (
      <Tooltip content={NOT_ALLOWED}>
        <Button size="sm" aria-disabled icon={icon} {...named}>
          {label}
        </Button>
      </Tooltip>
    );
  const undo = (dismissal: string) =>
    tellOutcome(
      restore.mutateAsync({ dismissal }),
      ({ restored }) => toast.success(`${countWords(restored, "request")} restored`),
      "Couldn't undo the dismissal",
    );
  const onDismissed = ({ dismissed, dismissal }: DismissalResult) => {
    if (dismissal === null) return toast.info("Nothing to dismiss", { description: "Someone else may have dismissed or released it." });
    toast.success(`${countWords(dismissed, "request")} dismissed`, {
      description: "They stay under Dismissed and can still be released.",
      action: { label: "Undo", onClick: () => undo(dismissal) },
    });
    onDone?.();
  };
  const send = () => tellOutcome(dismiss.mutateAsync(filter), onDismissed, "Couldn't dismiss");
  return (
    <Button size="sm" icon={icon} loading={dismiss.isPending} onClick={send} {...named}>
      {label}
    </Button>
  );
}

export function RestoreButton({ id, allowed }: { id: string; allowed: boolean }) {
  const restore = useRestore();
  if (!allowed) return null;
  const send = () =>
    restore.mutate({ ids: [id] }, { onError: (error) => toast.error("Couldn't restore it", { description: error.message }) });
  return (
    <Button size="sm" icon={<Undo2 aria-hidden />} loading={restore.isPending} onClick={send}>
      Restore
    </Button>
  );
}
