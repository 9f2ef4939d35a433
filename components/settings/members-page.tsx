"use client";

import { UserPlus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormDialog } from "#components/shell/form-dialog";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/form";
import { withFallback } from "#components/ui/layout/content-states";
import { ACTIONS, type Column, DataTable, timeColumn } from "#components/ui/layout/data-table";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { Badge } from "#components/ui/primitives/badge";
import { Button, RowButton } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { Switch } from "#components/ui/primitives/switch";
import { useAction } from "#components/ui/primitives/use-action";
import { RelativeTime } from "#components/ui/relative-time";
import { SecretOnce } from "#components/ui/secrets";
import { changeSignInPolicy, useInvitations, useInvite, useMembers, useRevokeInvitation } from "#lib/client/queries/members";
import type { Invitation } from "#lib/contracts/auth/invitations";
import type { Member, Role } from "#lib/contracts/auth/settings";
import { LeaveWorkspace, MemberActions, RemoveFactors, roleChoices } from "./member-actions.tsx";

type MembersPageProps = {
  /** The user's own ID; null for an API key. */
  ownId: string | null;
  workspaceName: string;
  canManage: boolean;
  canManageOwners: boolean;
  requiresSecondFactor: boolean;
};

export function MembersPage(props: MembersPageProps) {
  const { data, fallback } = withFallback(useMembers(), { what: "the members", rows: 3 });
  return (
    <>
      <Section
        title="Members"
        description="People in this workspace and their roles."
        actions={props.canManage ? <InviteDialog owners={props.canManageOwners} /> : undefined}
      >
        {data ? <MemberTable members={data} {...props} /> : fallback}
      </Section>
      {props.canManage ? <InvitationList /> : null}
      <SignInPolicy required={props.requiresSecondFactor} canChange={props.canManageOwners} />
      <LeaveWorkspace workspaceName={props.workspaceName} apiKeys={data?.find(({ id }) => id === props.ownId)?.apiKeys ?? 0} />
    </>
  );
}

const Email = ({ address }: { address: string }) => (
  <span title={address} className="ml-2 text-muted max-rail:ml-0 max-rail:block max-rail:truncate">
    {address}
  </span>
);

function MemberTable({ members, ownId, canManage, canManageOwners }: MembersPageProps & { members: Member[] }) {
  const columns: (Column<Member> | false)[] = [
    {
      head: "Member",
      look: "w-full min-w-44 max-w-0 truncate max-rail:py-2",
      title: ({ name, email }) => name ?? email,
      cell: ({ id, name, email }) => (
        <>
          <span className="font-medium">{name ?? email}</span>
          {id === ownId ? <span className="ml-2 text-12 text-faint">you</span> : null}
          {name === null ? null : <Email address={email} />}
        </>
      ),
    },
    {
      head: "Role",
      cell: ({ role, secondFactor }) => (
        <>
          <Badge tone={role === "owner" ? "accent" : "neutral"}>{role}</Badge>
          {canManage && secondFactor ? <span className="ml-2 text-12 text-faint">second factor</span> : null}
        </>
      ),
    },
    timeColumn("Joined", ({ since }) => since),
    canManage && {
      ...ACTIONS,
      cell: (member) => (
        <>
          {canManageOwners && member.secondFactor && member.id !== ownId ? <RemoveFactors member={member} /> : null}
          {member.role === "owner" && !canManageOwners ? null : (
            <MemberActions member={member} own={member.id === ownId} owners={canManageOwners} />
          )}
        </>
      ),
    },
  ];
  return <DataTable label="Members" columns={columns} rows={members} keyOf={({ id }) => id} />;
}

function SignInPolicy({ required, canChange }: { required: boolean; canChange: boolean }) {
  const router = useRouter();
  const { run, busy, problem } = useAction(async (next: boolean) => {
    await changeSignInPolicy(next);
    toast.success(next ? "Members need a second factor" : "Members no longer need a second factor");
    router.refresh();
  });
  return (
    <Section
      title="Second factor"
      description="Members without one must set it up before they continue. Single sign-on is exempt: its provider decides. API keys keep working."
    >
      {problem === null ? null : <ProblemNotice announce className="mb-3" what="Couldn't change the setting" why={problem.message} />}
      {canChange ? (
        <Switch checked={required} disabled={busy} onCheckedChange={run}>
          Require a second factor for members who sign in with a password
        </Switch>
      ) : (
        <p className="text-muted">
          {required ? "Required for members who sign in with a password." : "Not required. An owner can require it."}
        </p>
      )}
    </Section>
  );
}

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
  const revoke = useRevokeInvitation(id);
  const whom = email ?? "anyone with the link";
  return (
    <ConfirmDialog
      trigger={<RowButton aria-label={`Revoke invite for ${whom}`}>Revoke</RowButton>}
      title="Revoke this invite?"
      description={`The link for ${whom} stops working immediately.`}
      confirmLabel="Revoke invite"
      danger
      onConfirm={() => revoke.mutateAsync()}
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
        <Button variant="primary" icon={<UserPlus />}>
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
