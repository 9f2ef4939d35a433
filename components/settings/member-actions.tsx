"use client";

import { useState } from "react";
import { roleChoices } from "#components/settings/role-choices";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { Dialog } from "#components/ui/dialog";
import { Field } from "#components/ui/field";
import { ProblemNotice } from "#components/ui/problem-notice";
import { Select } from "#components/ui/select";
import { toast } from "#components/ui/toast";
import { useChangeRole, useRemoveMember } from "#lib/client/members";
import type { Member, Role } from "#lib/contracts/settings";

type MemberActionsProps = { member: Member; own: boolean; owners: boolean };

/** Remove the member, or change the role, which stands last so that it lines up. One leaves oneself by another button. */
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
          description="Signed out of this workspace at once. API keys that this person made or knows go on working: revoke those under API keys."
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
    toast.success(`${who} is ${role === "viewer" || role === "developer" ? "a" : "an"} ${role} now`);
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
      title={`The role of ${who}`}
      description={own ? "You have to sign in again afterwards." : `${who} has to sign in again afterwards.`}
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Change role of ${who}`}>
          Change role
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {change.error ? <ProblemNotice announce what="The role was not changed" why={change.error.message} /> : null}
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
            Change the role
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
