"use client";

import { useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { useChangeRole, useRemoveMember } from "#lib/client/queries/auth/members";
import type { Member, Role } from "#lib/contracts/auth/settings";
import { roleChoices } from "./role-choices.tsx";

type MemberActionsProps = { member: Member; own: boolean; owners: boolean };

/** Removes the member or changes their role. The role button is last, so that it lines up; users leave with a separate button. */
export function MemberActions({ member, own, owners }: MemberActionsProps) {
  const remove = useRemoveMember();
  const who = member.name ?? member.email;
  return (
    <span className="inline-flex gap-1">
      {own ? null : (
        <ConfirmDialog
          trigger={
            <Button size="sm" variant="ghost" aria-label={`Remove ${who}`}>
              Remove
            </Button>
          }
          title={`Remove ${who}?`}
          description="They lose access to this workspace immediately. API keys they created or know keep working: revoke those under API keys."
          confirmLabel={`Remove ${who}`}
          danger
          onConfirm={async () => {
            await remove.mutateAsync(member.id);
            toast.success(`Removed ${who}`);
          }}
        />
      )}
      <RoleDialog member={member} own={own} owners={owners} />
    </span>
  );
}

function RoleDialog({ member, own, owners }: MemberActionsProps) {
  const [open, setOpen] = useState(false);
  const [role, setRole] = useState<Role>(member.role);
  const change = useChangeRole();
  const who = member.name ?? member.email;
  async function save() {
    await change.mutateAsync({ id: member.id, role });
    if (own) return location.assign("/sign-in");
    setOpen(false);
    toast.success(`${who} is now ${role === "viewer" || role === "developer" ? "a" : "an"} ${role}`);
  }
  function openOrClose(next: boolean) {
    setOpen(next);
    setRole(member.role);
    change.reset();
  }
  return (
    <Dialog
      open={open}
      onOpenChange={openOrClose}
      title={`Change role of ${who}`}
      description={own ? "You'll need to sign in again." : `${who} will need to sign in again.`}
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Change role of ${who}`}>
          Change role
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {change.error ? <ProblemNotice announce what="Couldn't change the role" why={change.error.message} /> : null}
        <Field label="Role">
          <Select options={roleChoices(owners)} value={role} onValueChange={(value) => setRole(value as Role)} />
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => openOrClose(false)}>Cancel</Button>
          <Button
            variant="primary"
            disabled={role === member.role}
            loading={change.isPending}
            onClick={() => void save().catch(() => undefined)}
          >
            Change role
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
