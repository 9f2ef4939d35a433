import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { DestinationPage } from "#components/destinations/destination-page";
import { PrefetchedPage } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { destinationQuery } from "#lib/client/queries/destinations";
import { readDestination, shownDestination } from "#lib/flows/forwarding/destinations";
import { recordId } from "../../page-url.ts";
import { listChoices } from "../choices.ts";

type PageProps = { params: Promise<{ id: string }> };

/** The page and its title need the same destination. */
const readOnce = cache(readDestination);

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const actor = await requireActor("destinations.read");
  const destination = await readOnce(actor.workspaceId, recordId((await params).id));
  return { title: destination === null ? "Destination" : `${destination.name} · destination` };
}

export default async function Page({ params }: PageProps) {
  const actor = await requireActor("destinations.read");
  const id = recordId((await params).id);
  const [destination, choices] = await Promise.all([readOnce(actor.workspaceId, id), listChoices(actor.workspaceId)]);
  if (!destination) notFound();
  return (
    <PrefetchedPage entries={[[destinationQuery(id).queryKey, shownDestination(actor, destination)]]}>
      <DestinationPage id={id} canManage={can(actor.role, "destinations.manage")} {...choices} />
    </PrefetchedPage>
  );
}
