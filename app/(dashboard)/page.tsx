import type { Metadata } from "next";
import { cookies } from "next/headers";
import { OverviewPage } from "#components/overview/overview-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { changesQuery, LATEST_EVENTS, latestEventsQuery, overviewQuery } from "#lib/client/queries/overview";
import { env } from "#lib/config/env";
import { noteVisit } from "#lib/flows/members/manage-account";
import { readChanges } from "#lib/flows/overview/read-counts";
import { readOverview } from "#lib/flows/overview/read-overview";
import { readSources } from "#lib/flows/sources/read-sources";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { platformSetup } from "#lib/platform/oauth";

export const metadata: Metadata = { title: "Overview" };

export default async function Page() {
  const actor = await requireActor("overview.read");
  const now = new Date();
  if (actor.by.kind === "session") await noteVisit(actor.workspaceId, actor.by.userId, now);
  const [overview, changes, [source], latest] = await Promise.all([
    readOverview(actor.workspaceId, now),
    readChanges(actor),
    readSources(actor.workspaceId),
    listNamedEvents(actor.workspaceId, {}, { limit: LATEST_EVENTS, now }),
  ]);
  const closedCookie = `signalbox-setup-closed.${actor.workspaceId}`;
  return (
    <Prefetched
      entries={[
        [overviewQuery.queryKey, overview],
        [changesQuery.queryKey, changes],
        [latestEventsQuery.queryKey, latest],
      ]}
    >
      <OverviewPage
        access={{
          closed: (await cookies()).has(closedCookie),
          closedCookie,
          source: source ? { id: source.id, url: source.url } : null,
          platform: platformSetup(),
          canConnect: can(actor.role, "connections.manage"),
          canRotate: can(actor.role, "sources.manage"),
          // The sandbox sends to one source only; another workspace has its own.
          canSendTest: env().sandboxOn && source !== undefined && can(actor.role, "sandbox.use"),
        }}
      />
    </Prefetched>
  );
}
