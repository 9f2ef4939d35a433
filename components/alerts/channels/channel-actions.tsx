"use client";

import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { DropdownMenu } from "#components/ui/overlay/dropdown-menu";
import { Button } from "#components/ui/primitives/button";
import { IconButton } from "#components/ui/primitives/icon-button";
import { useDeleteAlertChannel, useTestAlertChannel } from "#lib/client/queries/alerts";
import type { AlertChannel } from "#lib/contracts/alerts/channels";
import { EditChannelDialog } from "./edit-channel-dialog.tsx";

export function ChannelActions({ channel }: { channel: AlertChannel }) {
  const { id, name } = channel;
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const remove = useDeleteAlertChannel(id);
  return (
    <div className="flex items-center gap-1">
      <TestButton id={id} name={name} />
      <DropdownMenu
        label={`${name}: more`}
        align="end"
        trigger={<IconButton label={`${name}: more`} icon={<Ellipsis aria-hidden />} />}
        entries={[
          { kind: "item", label: "Edit channel", icon: <Pencil aria-hidden />, onSelect: () => setOpen("edit") },
          { kind: "item", label: "Delete channel", icon: <Trash2 aria-hidden />, onSelect: () => setOpen("delete") },
        ]}
      />
      <EditChannelDialog channel={channel} open={open === "edit"} onOpenChange={(next) => setOpen(next ? "edit" : null)} />
      <ConfirmDialog
        open={open === "delete"}
        onOpenChange={(next) => setOpen(next ? "delete" : null)}
        title={`Delete ${name}?`}
        description="Alerts are no longer sent to it, and its secret is deleted. Alerts already sent stay in the list."
        confirmLabel="Delete channel"
        danger
        onConfirm={async () => {
          await remove.mutateAsync(undefined);
          toast.success(`Deleted ${name}`);
        }}
      />
    </div>
  );
}

export function TestButton({ id, name }: { id: string; name: string }) {
  const test = useTestAlertChannel(id);
  return (
    <Button
      size="sm"
      loading={test.isPending}
      aria-label={`Send test over ${name}`}
      onClick={() =>
        test.mutate(undefined, {
          onSuccess: ({ arrived, detail }) =>
            arrived
              ? toast.success("The test message arrived", { description: detail })
              : toast.error("The test message did not arrive", { description: detail }),
          onError: (error) => toast.error("Couldn't send the test message", { description: error.message }),
        })
      }
    >
      Send test
    </Button>
  );
}
