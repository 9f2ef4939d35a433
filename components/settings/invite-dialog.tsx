"use client";

import { UserPlus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { roleChoices } from "#components/settings/role-choices";
import { SecretOnce } from "#components/settings/secret-once";
import { Button } from "#components/ui/button";
import { Dialog } from "#components/ui/dialog";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { ProblemNotice } from "#components/ui/problem-notice";
import { RelativeTime } from "#components/ui/relative-time";
import { Select } from "#components/ui/select";
import { useInvite } from "#lib/client/members";
import type { Role } from "#lib/contracts/settings";

const DAYS = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
];

/** Makes an invitation and shows its link once. */
export function InviteDialog({ owners }: { owners: boolean }) {
  const [open, setOpen] = useState(false);
  const invite = useInvite();
  function change(next: boolean) {
    setOpen(next);
    if (!next) invite.reset();
  }
  const made = invite.data;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={made ? "The invitation's link" : "Invite a member"}
      trigger={
        <Button variant="primary" icon={<UserPlus aria-hidden />}>
          Invite a member
        </Button>
      }
    >
      {made ? (
        <div className="flex flex-col gap-4">
          <SecretOnce secret={made.url} what="the link" keep="Send it yourself, by a way that only the invited person reads." />
          <p className="text-muted">
            It makes one person {made.role === "viewer" || made.role === "developer" ? "a" : "an"} {made.role}
            {made.email === null ? "" : `, ${made.email} alone,`} and ends <RelativeTime at={made.expiresAt} />.
          </p>
          <Button className="self-end" variant="primary" onClick={() => change(false)}>
            I have copied it
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
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email")).trim();
    invite.mutate({ role, validDays: Number(days), ...(email && { email }) });
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {invite.error ? <ProblemNotice announce what="The invitation was not made" why={invite.error.message} /> : null}
      <Field label="Role">
        <Select options={roleChoices(owners)} value={role} onValueChange={(value) => setRole(value as Role)} />
      </Field>
      <Field label="E-mail" hint="When given, only an account with this address can use the link." optional>
        <Input name="email" type="email" maxLength={254} autoComplete="off" />
      </Field>
      <Field label="The link is good for">
        <Select options={DAYS} value={days} onValueChange={setDays} />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" loading={invite.isPending}>
          Make the link
        </Button>
      </div>
    </form>
  );
}
