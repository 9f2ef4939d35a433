import type { Metadata } from "next";
import { ViewsPage } from "#components/settings/views/views-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { rebuildsQuery } from "#lib/client/view-rebuilds";
import { listRebuilds } from "#lib/views/rebuild-store";

export const metadata: Metadata = { title: "Views" };

/** Checks of the views against the log, and the button that rebuilds them. */
export default async function Page() {
  const actor = await requireActor("views.read");
  return (
    <Prefetched entries={[[rebuildsQuery.queryKey, await listRebuilds(actor.workspaceId)]]}>
      <ViewsPage canRebuild={can(actor.role, "views.rebuild")} />
    </Prefetched>
  );
}
