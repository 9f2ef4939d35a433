import { useState } from "react";
import { FormDialog } from "#components/shell/form-dialog";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/form";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { Button, RowButton } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Select } from "#components/ui/primitives/select";
import { leaveFor } from "#components/ui/primitives/use-action";
import { leaveWorkspace, useChangeRole, useRemoveMember, useRemoveMemberFactors } from "#lib/client/queries/members";
import { ROLES } from "#lib/contracts/auth/roles";
import type { Member, Role } from "#lib/contracts/auth/settings";
import { formatNumber } from "#lib/contracts/format-count";

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
          trigger={<RowButton aria-label={`Remove ${who}`}>Remove</RowButton>}
          title={`Remove ${who}?`}
          description="They lose access to this workspace immediately, and the unused invites they created are revoked."
          choice={<EndApiKeys count={member.apiKeys} checked={endApiKeys} onChange={setEndApiKeys} />}
          confirmLabel={`Remove ${who}`}
          danger
          onOpenChange={() => setEndApiKeys(false)}
          onConfirm={() => remove.mutateAsync({ id: member.id, endApiKeys })}
          done={`Removed ${who}`}
        />
      )}
      <RoleDialog member={member} own={own} owners={owners} />
    </span>
  );
}

function RoleDialog({ member, own, owners }: MemberActionsProps) {
  const [chosen, setChosen] = useState<Role | null>(null);
  const [endApiKeys, setEndApiKeys] = useState(false);
  const change = useChangeRole(member.id);
  const who = member.name ?? member.email;
  const role = chosen ?? member.role;
  const lower = ROLES.indexOf(role) > ROLES.indexOf(member.role);
  async function save() {
    await change.mutateAsync({ role, endApiKeys: lower && endApiKeys });
    if (own) await leaveFor("/sign-in");
    toast.success(`${who} is now ${role === "viewer" || role === "developer" ? "a" : "an"} ${role}`);
  }
  function reset() {
    setChosen(null);
    setEndApiKeys(false);
  }
  return (
    <FormDialog
      onClose={reset}
      title={`Change role of ${who}`}
      description={`${own ? "You'll" : `${who} will`} need to sign in again. With a lower role, the unused invites they created are revoked.`}
      trigger={<RowButton aria-label={`Change role of ${who}`}>Change role</RowButton>}
      failed="Couldn't change the role"
      submitLabel="Change role"
      disabled={role === member.role}
      onSubmit={save}
    >
      <Field name="role" label="Role">
        <Select options={roleChoices(owners)} value={role} onValueChange={(value) => setChosen(value as Role)} />
      </Field>
      {lower ? <EndApiKeys count={member.apiKeys} checked={endApiKeys} onChange={setEndApiKeys} /> : null}
    </FormDialog>
  );
}

export function RemoveFactors({ member }: { member: Member }) {
  const remove = useRemoveMemberFactors(member.id);
  const who = member.name ?? member.email;
  return (
    <ConfirmDialog
      trigger={<RowButton aria-label={`Remove second factors of ${who}`}>Remove factors</RowButton>}
      title={`Remove the second factors of ${who}?`}
      description="For someone who has lost their phone, passkeys and recovery codes. Make sure that the request comes from them. They are signed out everywhere, and then only need their password."
      confirmLabel="Remove second factors"
      danger
      onConfirm={async () => {
        const { emailed } = await remove.mutateAsync();
        toast.success(`Removed the second factors of ${who}`, {
          description: emailed ? "They are notified by email." : "No email could be sent: tell them yourself.",
        });
      }}
    />
  );
}

/** `apiKeys`: the number that the user created. */
export function LeaveWorkspace({ workspaceName, apiKeys }: { workspaceName: string; apiKeys: number }) {
  const [endApiKeys, setEndApiKeys] = useState(false);
  return (
    <Section title="Leave workspace" description="You lose access to this workspace. Your account and other workspaces aren't affected.">
      <ConfirmDialog
        trigger={<Button className="self-start">Leave {workspaceName}</Button>}
        title={`Leave ${workspaceName}?`}
        description="You'll be signed out. To come back, you need a new invite."
        choice={<EndApiKeys own count={apiKeys} checked={endApiKeys} onChange={setEndApiKeys} />}
        onOpenChange={() => setEndApiKeys(false)}
        confirmLabel={`Leave ${workspaceName}`}
        danger
        onConfirm={async () => {
          await leaveWorkspace(endApiKeys);
          location.assign("/sign-in");
        }}
      />
    </Section>
  );
}

type EndApiKeysProps = { own?: boolean; count: number; checked: boolean; onChange: (checked: boolean) => void };

/** Asks whether the member's API keys end too. `own`: the user is the member. */
function EndApiKeys({ own = false, count, checked, onChange }: EndApiKeysProps) {
  const others = "Other API keys they may know keep working: revoke those under API keys.";
  if (count === 0) return own ? null : <p className="text-12 text-muted">They created no API keys. {others}</p>;
  return (
    <Checkbox checked={checked} onCheckedChange={onChange}>
      Revoke the {count === 1 ? "API key" : `${formatNumber(count)} API keys`} {own ? "you" : "they"} created
      <span className="block text-12 text-muted">
        Programs that use {count === 1 ? "it" : "them"} stop working.{own ? null : ` ${others}`}
      </span>
    </Checkbox>
  );
}

const ROLE_CHOICES: { value: Role; label: string; hint: string }[] = [
  { value: "viewer", label: "Viewer", hint: "can view everything, change nothing" },
  { value: "developer", label: "Developer", hint: "can also re-deliver, release and connect" },
  { value: "admin", label: "Admin", hint: "can also rotate secrets, create API keys and invite" },
  { value: "owner", label: "Owner", hint: "can also manage owners" },
];

/** Returns the roles to choose from; only owners can choose owner. */
export const roleChoices = (owners: boolean) => ROLE_CHOICES.filter(({ value }) => owners || value !== "owner");
