import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DeliveryPage } from "#components/destinations/delivery-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/layout/page-header";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { deliveryQuery } from "#lib/client/queries/destinations";
import { readDelivery } from "#lib/flows/forwarding/read-deliveries";
import { recordId } from "../../page-url.ts";

export const metadata: Metadata = { title: "Delivery" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor("destinations.read");
  const id = recordId((await params).id);
  const delivery = await readDelivery(actor.workspaceId, id);
  if (!delivery) notFound();
  return (
    <PageBody>
      <Prefetched entries={[[deliveryQuery(id).queryKey, delivery]]}>
        <DeliveryPage id={id} canManage={can(actor.role, "destinations.manage")} />
      </Prefetched>
    </PageBody>
  );
}
