import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DestinationPage } from "#components/destinations/destination-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/layout/page-header";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { destinationQuery } from "#lib/client/queries/destinations";
import { readDestination, shownDestination } from "#lib/flows/forwarding/destinations";
import { recordId } from "../../page-url.ts";
import { listChoices } from "../choices.ts";

export const metadata: Metadata = { title: "Destination" };

type PageProps = { params: Promise<{ id: string }> };

export default async function Page({ params }: PageProps) {
  const actor = await requireActor("destinations.read");
  const id = recordId((await params).id);
  const [destination, choices] = await Promise.all([readDestination(actor.workspaceId, id), listChoices(actor.workspaceId)]);
  if (!destination) notFound();
  return (
    <PageBody>
      <Prefetched entries={[[destinationQuery(id).queryKey, shownDestination(actor, destination)]]}>
        <DestinationPage id={id} canManage={can(actor.role, "destinations.manage")} {...choices} />
      </Prefetched>
    </PageBody>
  );
}
