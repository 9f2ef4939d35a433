import type { Metadata } from "next";
import { RedeliveriesPage } from "#components/events/redeliveries-page";
import { PrefetchedPage } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { redeliveriesQuery } from "#lib/client/queries/redeliveries";
import { listRedeliveries } from "#lib/processing/redelivery-store";

export const metadata: Metadata = { title: "Re-deliveries" };

const MAX_REDELIVERIES = 100;

export default async function Page() {
  const actor = await requireActor("events.read");
  const page = await listRedeliveries(actor.workspaceId, { limit: MAX_REDELIVERIES });
  return (
    <PrefetchedPage entries={[[redeliveriesQuery.queryKey, page]]}>
      <RedeliveriesPage canRedeliver={can(actor.role, "events.redeliver")} />
    </PrefetchedPage>
  );
}
