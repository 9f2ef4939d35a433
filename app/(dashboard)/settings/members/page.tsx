import type { Metadata } from "next";
import { MembersPage } from "#components/settings/members-page";
import { Prefetched } from "#components/shell/prefetched";
import { requireActor } from "#lib/auth/require-actor";
import { listMembers } from "#lib/auth/user-store";

export const metadata: Metadata = { title: "Members" };

export default async function Page() {
  const actor = await requireActor("members.read");
  return (
    <Prefetched entries={[[["settings", "members"], await listMembers(actor.workspaceId)]]}>
      <MembersPage />
    </Prefetched>
  );
}
