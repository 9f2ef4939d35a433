"use client";

import { toast } from "#components/ui/feedback/toast";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Button } from "#components/ui/primitives/button";
import { useRemoveMemberFactors } from "#lib/client/queries/auth/members";
import type { Member } from "#lib/contracts/auth/settings";

export function RemoveFactors({ member }: { member: Member }) {
  const remove = useRemoveMemberFactors();
  const who = member.name ?? member.email;
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Remove second factors of ${who}`}>
          Remove factors
        </Button>
      }
      title={`Remove the second factors of ${who}?`}
      description="For someone who has lost their phone, passkeys and recovery codes. Make sure that the request comes from them. They are signed out everywhere, and then only need their password."
      confirmLabel="Remove second factors"
      danger
      onConfirm={async () => {
        const { emailed } = await remove.mutateAsync(member.id);
        toast.success(`Removed the second factors of ${who}`, {
          description: emailed ? "They are notified by email." : "No email could be sent: tell them yourself.",
        });
      }}
    />
  );
}
