import type { Metadata } from "next";
import { OverviewPage } from "#components/overview/overview-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { noteVisit } from "#lib/auth/visit-store";
import { LATEST_EVENTS, latestEventsQuery } from "#lib/client/latest-events";
import { changesQuery, overviewQuery } from "#lib/client/overview";
import { env } from "#lib/config/env";
import { listEvents } from "#lib/events/event-store";
import { readChanges } from "#lib/flows/read-changes";
import { readOverview } from "#lib/flows/read-overview";
import { readSources } from "#lib/flows/read-sources";

export const metadata: Metadata = { title: "Overview" };

export default async function Page() {
  const actor = await requireActor("overview.read");
  const now = new Date();
  if (actor.by.kind === "session") await noteVisit(actor.workspaceId, actor.by.userId, now);
  const [overview, changes, sources, latest] = await Promise.all([
    readOverview(actor.workspaceId, now),
    readChanges(actor),
    readSources(actor.workspaceId),
    listEvents(actor.workspaceId, {}, { limit: LATEST_EVENTS }),
  ]);
  return (
    <Prefetched
      entries={[
        [overviewQuery.queryKey, overview],
        [changesQuery.queryKey, changes],
        [latestEventsQuery.queryKey, latest],
      ]}
    >
      <OverviewPage webhookUrl={sources[0]?.url ?? null} canSendTest={env().sandboxOn && can(actor.role, "sandbox.use")} />
    </Prefetched>
  );
}
