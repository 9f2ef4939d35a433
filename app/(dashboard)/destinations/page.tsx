import type { Metadata } from "next";
import { DestinationsPage } from "#components/destinations/destinations-page";
import { PrefetchedPage } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { destinationsQuery } from "#lib/client/queries/destinations";
import { readDestinations, shownDestination } from "#lib/flows/forwarding/destinations";
import { listChoices } from "./choices.ts";

export const metadata: Metadata = { title: "Destinations" };

export default async function Page() {
  const actor = await requireActor("destinations.read");
  const [destinations, choices] = await Promise.all([readDestinations(actor.workspaceId), listChoices(actor.workspaceId)]);
  return (
    <PrefetchedPage entries={[[destinationsQuery.queryKey, destinations.map((each) => shownDestination(actor, each))]]}>
      <DestinationsPage canManage={can(actor.role, "destinations.manage")} {...choices} />
    </PrefetchedPage>
  );
}
