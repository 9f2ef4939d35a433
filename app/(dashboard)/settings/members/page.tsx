import type { Metadata } from "next";
import { MembersPage } from "#components/settings/members-page";
import { Prefetched } from "#components/shell/prefetched";
import { listInvitations } from "#lib/auth/invitation-store";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { listMembers } from "#lib/auth/user-store";

export const metadata: Metadata = { title: "Members" };

export default async function Page() {
  const { workspaceId, workspaceName, role, by } = await requireActor("members.read");
  const canManage = can(role, "members.manage");
  const [members, invitations] = await Promise.all([listMembers(workspaceId), canManage ? listInvitations(workspaceId, new Date()) : []]);
  return (
    <Prefetched
      entries={[
        [["settings", "members"], members],
        [["settings", "invitations"], invitations],
      ]}
    >
      <MembersPage
        ownId={by.kind === "session" ? by.userId : null}
        workspaceName={workspaceName}
        canManage={canManage}
        canManageOwners={can(role, "owners.manage")}
      />
    </Prefetched>
  );
}
