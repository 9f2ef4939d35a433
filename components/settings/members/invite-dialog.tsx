"use client";

import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { SecretOnce, secretCloses } from "#components/ui/feedback/secret-once";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { RelativeTime } from "#components/ui/time/relative-time";
import { useInvite } from "#lib/client/queries/auth/members";
import type { Role } from "#lib/contracts/auth/settings";
import { roleChoices } from "./role-choices.tsx";

const DAYS = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
];

export function InviteDialog({ owners }: { owners: boolean }) {
  const [open, setOpen] = useState(false);
  const invite = useInvite();
  useCommands([{ label: "Invite member", run: () => setOpen(true) }]);
  function change(next: boolean) {
    setOpen(next);
    if (!next) invite.reset();
  }
  const created = invite.data;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      closes={secretCloses(invite.isPending, created?.url)}
      title={created ? "Invite link" : "Invite a member"}
      trigger={
        <Button variant="primary" icon={<UserPlus aria-hidden />}>
          Invite a member
        </Button>
      }
    >
      {created ? (
        <div className="flex flex-col gap-4">
          <SecretOnce secret={created.url} what="link" keep="Send it to the person you're inviting over a private channel." />
          <p className="text-muted">
            It adds one person as {created.role === "viewer" || created.role === "developer" ? "a" : "an"} {created.role}
            {created.email === null ? "" : `, only ${created.email},`} and expires <RelativeTime at={created.expiresAt} />.
          </p>
          <Button className="self-end" variant="primary" onClick={() => change(false)}>
            I've copied it
          </Button>
        </div>
      ) : (
        <InviteForm owners={owners} invite={invite} onCancel={() => change(false)} />
      )}
    </Dialog>
  );
}

type InviteFormProps = { owners: boolean; invite: ReturnType<typeof useInvite>; onCancel: () => void };

function InviteForm({ owners, invite, onCancel }: InviteFormProps) {
  const [role, setRole] = useState<Role>("developer");
  const [days, setDays] = useState("7");
  function submit(fields: FormData) {
    const email = String(fields.get("email")).trim();
    invite.mutate({ role, validDays: Number(days), ...(email && { email }) });
  }
  return (
    <Form failed="Couldn't create the invite" error={invite.error} onSubmit={submit}>
      <Field name="role" label="Role">
        <Select options={roleChoices(owners)} value={role} onValueChange={(value) => setRole(value as Role)} />
      </Field>
      <Field name="email" label="Email" hint="If set, only an account with this email can use the link." optional>
        <Input name="email" type="email" maxLength={254} autoComplete="off" />
      </Field>
      <Field name="validDays" label="Link expires after">
        <Select options={DAYS} value={days} onValueChange={setDays} />
      </Field>
      <FormButtons submitLabel="Create invite" pending={invite.isPending} onCancel={onCancel} />
    </Form>
  );
}
