"use client";

import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { useChangeRole, useRemoveMember } from "#lib/client/queries/auth/members";
import { type Member, ROLES, type Role } from "#lib/contracts/auth/settings";
import { EndApiKeys } from "./end-api-keys.tsx";
import { roleChoices } from "./role-choices.tsx";

type MemberActionsProps = { member: Member; own: boolean; owners: boolean };

/** Puts the role button last so that the buttons line up. Users leave with a separate button. */
export function MemberActions({ member, own, owners }: MemberActionsProps) {
  const remove = useRemoveMember();
  const [endApiKeys, setEndApiKeys] = useState(false);
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
          description="They lose access to this workspace immediately, and the unused invites they created are revoked."
          choice={<EndApiKeys count={member.apiKeys} checked={endApiKeys} onChange={setEndApiKeys} />}
          confirmLabel={`Remove ${who}`}
          danger
          onOpenChange={() => setEndApiKeys(false)}
          onConfirm={async () => {
            await remove.mutateAsync({ id: member.id, endApiKeys });
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
  const [endApiKeys, setEndApiKeys] = useState(false);
  const change = useChangeRole();
  const who = member.name ?? member.email;
  const lower = ROLES.indexOf(role) > ROLES.indexOf(member.role);
  async function save() {
    await change.mutateAsync({ id: member.id, role, endApiKeys: lower && endApiKeys });
    if (own) return location.assign("/sign-in");
    setOpen(false);
    toast.success(`${who} is now ${role === "viewer" || role === "developer" ? "a" : "an"} ${role}`);
  }
  function openOrClose(next: boolean) {
    setOpen(next);
    setRole(member.role);
    setEndApiKeys(false);
    change.reset();
  }
  return (
    <Dialog
      open={open}
      onOpenChange={openOrClose}
      title={`Change role of ${who}`}
      description={`${own ? "You'll" : `${who} will`} need to sign in again. With a lower role, the unused invites they created are revoked.`}
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Change role of ${who}`}>
          Change role
        </Button>
      }
    >
      <Form failed="Couldn't change the role" error={change.error} onSubmit={() => void save().catch(() => undefined)}>
        <Field name="role" label="Role">
          <Select options={roleChoices(owners)} value={role} onValueChange={(value) => setRole(value as Role)} />
        </Field>
        {lower ? <EndApiKeys count={member.apiKeys} checked={endApiKeys} onChange={setEndApiKeys} /> : null}
        <FormButtons
          submitLabel="Change role"
          pending={change.isPending}
          disabled={role === member.role}
          onCancel={() => openOrClose(false)}
        />
      </Form>
    </Dialog>
  );
}
