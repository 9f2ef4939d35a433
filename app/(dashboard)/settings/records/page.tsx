import type { Metadata } from "next";
import { RecordsPage } from "#components/settings/records-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { rebuildsQuery } from "#lib/client/queries/maintenance";
import { listRebuilds } from "#lib/flows/views/rebuild-views";

export const metadata: Metadata = { title: "Records" };

export default async function Page() {
  const actor = await requireActor("views.read");
  return (
    <Prefetched entries={[[rebuildsQuery.queryKey, await listRebuilds(actor.workspaceId)]]}>
      <RecordsPage canRebuild={can(actor.role, "views.rebuild")} />
    </Prefetched>
  );
}
