import type { Metadata } from "next";
import { MembersPage } from "#components/settings/members-page";
import { Prefetched } from "#components/shell/prefetched";
import { listInvitations } from "#lib/auth/members/invitation-store";
import { listMembers } from "#lib/auth/members/user-store";
import { findSettings } from "#lib/auth/members/workspace-store";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { membersQuery } from "#lib/client/queries/member-list";
import { invitationsQuery } from "#lib/client/queries/members";

export const metadata: Metadata = { title: "Members" };

export default async function Page() {
  const { workspaceId, workspaceName, role, by } = await requireActor("members.read");
  const canManage = can(role, "members.manage");
  const now = new Date();
  const [members, invitations, { requiresSecondFactor }] = await Promise.all([
    listMembers(workspaceId, now),
    canManage ? listInvitations(workspaceId, now) : [],
    findSettings(workspaceId),
  ]);
  return (
    <Prefetched
      entries={[
        [membersQuery.queryKey, members],
        [invitationsQuery.queryKey, invitations],
      ]}
    >
      <MembersPage
        ownId={by.kind === "session" ? by.userId : null}
        workspaceName={workspaceName}
        canManage={canManage}
        canManageOwners={can(role, "owners.manage")}
        requiresSecondFactor={requiresSecondFactor}
      />
    </Prefetched>
  );
}
