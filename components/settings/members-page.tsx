"use client";

import { InvitationList } from "#components/settings/invitation-list";
import { InviteDialog } from "#components/settings/invite-dialog";
import { LeaveWorkspace } from "#components/settings/leave-workspace";
import { MemberActions } from "#components/settings/member-actions";
import { Badge } from "#components/ui/badge";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { RelativeTime } from "#components/ui/relative-time";
import { Section } from "#components/ui/section";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/table";
import { useMembers } from "#lib/client/members";
import type { Member } from "#lib/contracts/settings";

type MembersPageProps = {
  /** The reader; null for none of the members. */
  ownId: string | null;
  workspaceName: string;
  canManage: boolean;
  canManageOwners: boolean;
};

/** The people of the workspace: who they are, what they may do, who is invited. */
export function MembersPage(props: MembersPageProps) {
  const { data, error, isPending, refetch } = useMembers();
  return (
    <>
      <Section
        title="Members"
        description="The people of this workspace and their roles."
        actions={props.canManage ? <InviteDialog owners={props.canManageOwners} /> : undefined}
      >
        {isPending ? (
          <LoadingState what="the members" rows={3} />
        ) : !data ? (
          <ErrorState what="the members" error={error} onRetry={() => void refetch()} />
        ) : (
          <MemberTable members={data} {...props} />
        )}
      </Section>
      {props.canManage ? <InvitationList /> : null}
      <LeaveWorkspace workspaceName={props.workspaceName} />
    </>
  );
}

const Email = ({ address }: { address: string }) => (
  <span title={address} className="ml-2 text-muted max-rail:ml-0 max-rail:block max-rail:truncate">
    {address}
  </span>
);

function MemberTable({ members, ownId, canManage, canManageOwners }: MembersPageProps & { members: Member[] }) {
  return (
    <Table label="Members">
      <TableHead>
        <HeadCell>Member</HeadCell>
        <HeadCell>Role</HeadCell>
        <HeadCell align="right">Since</HeadCell>
        {canManage ? (
          <HeadCell align="right">
            <span className="sr-only">Actions</span>
          </HeadCell>
        ) : null}
      </TableHead>
      <TableBody>
        {members.map((member) => (
          <Row key={member.id}>
            <Cell className="w-full min-w-44 max-w-0 truncate max-rail:py-2" title={member.name ?? member.email}>
              <span className="font-medium">{member.name ?? member.email}</span>
              {member.id === ownId ? <span className="ml-2 text-12 text-faint">you</span> : null}
              {member.name === null ? null : <Email address={member.email} />}
            </Cell>
            <Cell>
              <Badge tone={member.role === "owner" ? "accent" : "neutral"}>{member.role}</Badge>
            </Cell>
            <Cell align="right" className="text-muted">
              <RelativeTime at={member.since} />
            </Cell>
            {canManage ? (
              <Cell align="right">
                {member.role === "owner" && !canManageOwners ? null : (
                  <MemberActions member={member} own={member.id === ownId} owners={canManageOwners} />
                )}
              </Cell>
            ) : null}
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
