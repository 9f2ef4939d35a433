"use client";

import { KeyRound, Pause, Pencil, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Dialog } from "#components/ui/overlay/dialog";
import { DropdownMenu } from "#components/ui/overlay/dropdown-menu";
import { Button } from "#components/ui/primitives/button";
import { useChangeDestination, useDeleteDestination, usePauseDestination } from "#lib/client/queries/forwarding/destinations";
import { formatNumber } from "#lib/contracts/counts/format-count";
import { HELD_DAYS } from "#lib/contracts/forwarding/deliveries";
import type { Destination } from "#lib/contracts/forwarding/destinations";
import { pendingWords } from "../destination-labels.tsx";
import { DestinationForm } from "../form/destination-form.tsx";
import { ResumeDialog } from "./resume-dialog.tsx";
import { RotateDestinationSecretDialog } from "./rotate-destination-secret.tsx";

type Open = "edit" | "rotate" | "delete" | null;
type Props = { destination: Destination; types: string[]; sources: string[] };

export function DestinationActions({ destination, types, sources }: Props) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  useCommands([
    { label: "Edit this destination", run: () => setOpen("edit") },
    ...(destination.mode === "signed" ? [{ label: "Rotate this destination's secret", run: () => setOpen("rotate") }] : []),
    { label: "Delete this destination", run: () => setOpen("delete") },
  ]);
  return (
    <>
      {destination.state === "active" ? <PauseButton destination={destination} /> : <ResumeDialog destination={destination} />}
      <DropdownMenu
        label="More actions"
        trigger={<Button>More</Button>}
        entries={[
          { kind: "item", label: "Edit settings", icon: <Pencil aria-hidden />, onSelect: () => setOpen("edit") },
          ...(destination.mode !== "pass_through"
            ? [{ kind: "item" as const, label: "Rotate secret", icon: <KeyRound aria-hidden />, onSelect: () => setOpen("rotate") }]
            : []),
          { kind: "line" },
          { kind: "item", label: "Delete destination", icon: <Trash2 aria-hidden />, onSelect: () => setOpen("delete") },
        ]}
      />
      {open === "edit" ? <EditDialog destination={destination} types={types} sources={sources} onClose={close} /> : null}
      {open === "rotate" ? <RotateDestinationSecretDialog destination={destination} onClose={close} /> : null}
      {open === "delete" ? <DeleteDialog destination={destination} onClose={close} /> : null}
    </>
  );
}

function PauseButton({ destination: { id, name } }: { destination: Destination }) {
  const pause = usePauseDestination(id);
  const send = () =>
    tellOutcome(
      pause.mutateAsync(),
      () =>
        toast.success(`Paused ${name}`, {
          description: `Its deliveries are held, and their events are kept for up to ${HELD_DAYS} days past your retention period.`,
        }),
      "Couldn't pause it",
    );
  useCommands([{ label: "Pause this destination", run: send }]);
  return (
    <Button icon={<Pause aria-hidden />} loading={pause.isPending} onClick={send}>
      Pause
    </Button>
  );
}

function EditDialog({ destination, types, sources, onClose }: Props & { onClose: () => void }) {
  const change = useChangeDestination(destination.id);
  return (
    <Dialog open onOpenChange={onClose} className="max-w-[640px]" title={`Edit ${destination.name}`}>
      <DestinationForm
        destination={destination}
        types={types}
        sources={sources}
        error={change.error}
        pending={change.isPending}
        submitLabel="Save changes"
        onSubmit={(body) => change.mutate(body, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function DeleteDialog({ destination: { id, name, pending }, onClose }: { destination: Destination; onClose: () => void }) {
  const remove = useDeleteDestination(id);
  const router = useRouter();
  const held =
    pending === 0
      ? "Nothing is waiting to be sent."
      : `${pendingWords(pending)} ${pending === 1 ? "waiting delivery is" : "waiting deliveries are"} cancelled.`;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${name}?`}
      description={`${held} Existing deliveries stay visible. This can't be undone.`}
      confirmLabel={`Delete ${name}`}
      danger
      onConfirm={async () => {
        const { cancelled } = await remove.mutateAsync();
        toast.success(`Deleted ${name}`, { description: cancelled === 0 ? "" : `${formatNumber(cancelled)} deliveries were cancelled.` });
        router.push("/destinations");
      }}
    />
  );
}
