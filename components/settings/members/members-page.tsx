"use client";

import { useRouter } from "next/navigation";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { toast } from "#components/ui/feedback/toast";
import { withFallback } from "#components/ui/layout/content-states";
import { ACTIONS, type Column, DataTable, timeColumn } from "#components/ui/layout/data-table";
import { Section } from "#components/ui/layout/section";
import { Badge } from "#components/ui/primitives/badge";
import { Switch } from "#components/ui/primitives/switch";
import { useAction } from "#components/ui/primitives/use-action";
import { changeSignInPolicy, useMembers } from "#lib/client/queries/members";
import type { Member } from "#lib/contracts/auth/settings";
import { InvitationList, InviteDialog } from "./invitations.tsx";
import { LeaveWorkspace, MemberActions, RemoveFactors } from "./member-actions.tsx";

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
