import type { Metadata } from "next";
import { OverviewPage } from "#components/overview/overview-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { LATEST_EVENTS, latestEventsQuery } from "#lib/client/latest-events";
import { env } from "#lib/config/env";
import { listEvents } from "#lib/events/event-store";
import { readSources } from "#lib/flows/read-sources";

export const metadata: Metadata = { title: "Overview" };

/** The overview itself comes with the layout, which the rail's counts need on every page. */
export default async function Page() {
  const actor = await requireActor("overview.read");
  const [sources, latest] = await Promise.all([
    readSources(actor.workspaceId),
    listEvents(actor.workspaceId, {}, { limit: LATEST_EVENTS }),
  ]);
  return (
    <Prefetched entries={[[latestEventsQuery.queryKey, latest]]}>
      <OverviewPage webhookUrl={sources[0]?.url ?? null} canSendTest={env().sandboxOn && can(actor.role, "sandbox.use")} />
    </Prefetched>
  );
}
