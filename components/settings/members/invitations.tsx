import { UserPlus } from "lucide-react";
import { useState } from "react";
import { FormDialog } from "#components/shell/form-dialog";
import { Field } from "#components/ui/form";
import { withFallback } from "#components/ui/layout/content-states";
import { ACTIONS, type Column, DataTable } from "#components/ui/layout/data-table";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { Badge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { RelativeTime } from "#components/ui/relative-time";
import { SecretOnce } from "#components/ui/secrets";
import { useInvitations, useInvite, useRevokeInvitation } from "#lib/client/queries/members";
import type { Invitation } from "#lib/contracts/auth/invitations";
import type { Role } from "#lib/contracts/auth/settings";
import { roleChoices } from "./member-actions.tsx";

export function InvitationList() {
  const { data, fallback } = withFallback(useInvitations(), { what: "pending invites", rows: 1 });
  if (data?.length === 0) return null;
  return (
    <Section title="Pending invites" description="Invite links that haven't been used yet.">
      {data ? <DataTable label="Pending invites" columns={COLUMNS} rows={data} keyOf={({ id }) => id} /> : fallback}
    </Section>
  );
}

const COLUMNS: Column<Invitation>[] = [
  {
    head: "For",
    look: "w-full min-w-44 max-w-0 truncate font-medium",
    title: ({ email }) => email ?? undefined,
    cell: ({ email }) => email ?? "Anyone with the link",
  },
  { head: "Role", cell: ({ role }) => <Badge>{role}</Badge> },
  { head: "Created by", look: "text-muted", cell: ({ createdBy }) => createdBy },
  { head: "Expires", look: "text-muted", cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
  { ...ACTIONS, cell: (invitation) => <Revoke invitation={invitation} /> },
];

function Revoke({ invitation: { id, email } }: { invitation: Invitation }) {
  const revoke = useRevokeInvitation();
  const whom = email ?? "anyone with the link";
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Revoke invite for ${whom}`}>
          Revoke
        </Button>
      }
      title="Revoke this invite?"
      description={`The link for ${whom} stops working immediately.`}
      confirmLabel="Revoke invite"
      danger
      onConfirm={() => revoke.mutateAsync(id)}
      done="Invite revoked"
    />
  );
}

const DAYS = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
];

export function InviteDialog({ owners }: { owners: boolean }) {
  const [role, setRole] = useState<Role>("developer");
  const [days, setDays] = useState("7");
  const invite = useInvite();
  function reset() {
    invite.reset();
    setRole("developer");
    setDays("7");
  }
  const created = invite.data;
  return (
    <FormDialog
      onClose={reset}
      title={created ? "Invite link" : "Invite a member"}
      trigger={
        <Button variant="primary" icon={<UserPlus aria-hidden />}>
          Invite a member
        </Button>
      }
      command="Invite member"
      failed="Couldn't create the invite"
      submitLabel="Create invite"
      onSubmit={(fields) => {
        const email = String(fields.get("email")).trim();
        return invite.mutateAsync({ role, validDays: Number(days), ...(email && { email }) });
      }}
      made={created ? <InviteLink invite={created} /> : null}
    >
      <Field name="role" label="Role">
        <Select options={roleChoices(owners)} value={role} onValueChange={(value) => setRole(value as Role)} />
      </Field>
      <Field name="email" label="Email" hint="If set, only an account with this email can use the link." optional>
        <Input name="email" type="email" maxLength={254} autoComplete="off" />
      </Field>
      <Field name="validDays" label="Link expires after">
        <Select options={DAYS} value={days} onValueChange={setDays} />
      </Field>
    </FormDialog>
  );
}

function InviteLink({ invite: { url, role, email, expiresAt } }: { invite: NonNullable<ReturnType<typeof useInvite>["data"]> }) {
  return (
    <>
      <SecretOnce secret={url} what="link" keep="Send it to the person you're inviting over a private channel." />
      <p className="text-muted">
        It adds one person as {role === "viewer" || role === "developer" ? "a" : "an"} {role}
        {email === null ? "" : `, only ${email},`} and expires <RelativeTime at={expiresAt} ahead />.
      </p>
    </>
  );
}
