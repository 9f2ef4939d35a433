import type { Metadata } from "next";
import { RedeliveriesPage } from "#components/events/redeliveries-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/page-body";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { listRedeliveries } from "#lib/deliveries/redelivery-store";

export const metadata: Metadata = { title: "Re-deliveries" };

/** As many as the page asks the API for. */
const MOST = 100;

export default async function Page() {
  const actor = await requireActor("events.read");
  const page = await listRedeliveries(actor.workspaceId, { limit: MOST });
  return (
    <PageBody width="wide">
      <Prefetched entries={[[["redeliveries"], page]]}>
        <RedeliveriesPage canRedeliver={can(actor.role, "events.redeliver")} />
      </Prefetched>
    </PageBody>
  );
}
