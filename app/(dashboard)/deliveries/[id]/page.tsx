import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { DeliveryPage } from "#components/destinations/delivery-page";
import { PrefetchedPage } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { deliveryQuery } from "#lib/client/queries/destinations";
import { visible } from "#lib/contracts/api/plain-text";
import { readDelivery } from "#lib/flows/forwarding/read-deliveries";
import { recordId } from "../../page-url.ts";

type Props = { params: Promise<{ id: string }> };

/** The page and its title need the same delivery. */
const readOnce = cache(readDelivery);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const actor = await requireActor("destinations.read");
  const delivery = await readOnce(actor.workspaceId, recordId((await params).id));
  return { title: delivery === null ? "Delivery" : `${visible(delivery.event.title)} to ${delivery.destination.name} · delivery` };
}

export default async function Page({ params }: Props) {
  const actor = await requireActor("destinations.read");
  const id = recordId((await params).id);
  const delivery = await readOnce(actor.workspaceId, id);
  if (!delivery) notFound();
  return (
    <PrefetchedPage entries={[[deliveryQuery(id).queryKey, delivery]]}>
      <DeliveryPage id={id} canManage={can(actor.role, "destinations.manage")} />
    </PrefetchedPage>
  );
}
