import type { Metadata } from "next";
import { OutagesPage } from "#components/settings/outages-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { outagesQuery } from "#lib/client/queries/sources";
import { listOutages } from "#lib/flows/outages/outages";

export const metadata: Metadata = { title: "Outages" };

export default async function Page() {
  const actor = await requireActor("outages.read");
  const page = await listOutages(actor.workspaceId, { limit: 50 }, new Date());
  return (
    <Prefetched entries={[[outagesQuery.queryKey, { pages: [page], pageParams: [null] }]]}>
      <OutagesPage canDismiss={can(actor.role, "outages.dismiss")} />
    </Prefetched>
  );
}
