import { type ReactNode, Suspense } from "react";
import { Frame, PageLoading } from "#components/shell/frame";
import { LiveProvider } from "#components/shell/live/live-provider";
import { Prefetched } from "#components/shell/prefetched";
import { PageQueryProvider } from "#components/ui/lists/use-page-query";
import { TimeZoneProvider } from "#components/ui/time-format";
import { actorName, mayDo } from "#lib/auth/actor";
import { findPreferences } from "#lib/auth/members/user-store";
import { listWorkspacesOf } from "#lib/auth/members/workspace-store";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { countsQuery } from "#lib/client/queries/counts";
import { env } from "#lib/config/env";
import { PRODUCT_VERSION } from "#lib/config/product";
import { findLastEvent } from "#lib/events/log/event-lookup-store";
import { readCounts } from "#lib/flows/overview/read-counts";

/** Layouts don't run again on navigation, so every page calls requireActor itself. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor("overview.read");
  const [counts, lastEvent] = await Promise.all([readCounts(actor.workspaceId, new Date()), findLastEvent(actor.workspaceId)]);
  const { by, role, workspaceId, workspaceName } = actor;
  const [all, { timeZone }] =
    by.kind === "session"
      ? await Promise.all([listWorkspacesOf(by.userId), findPreferences(by.userId)])
      : [[], { timeZone: "local" as const }];
  return (
    <Prefetched entries={[[countsQuery.queryKey, counts]]}>
      <TimeZoneProvider choice={timeZone}>
        <LiveProvider scope={`${workspaceId}.${actorName(actor)}`} lastEventAt={lastEvent?.receivedAt ?? null}>
          <Frame
            workspace={{
              id: workspaceId,
              name: workspaceName,
              all: all.map(({ id, name }) => ({ id, name })),
              mayCreate: can(role, "workspaces.create"),
            }}
            rights={{
              sandbox: env().sandboxOn && can(role, "sandbox.use"),
              keys: can(role, "keys.manage"),
              backups: mayDo(actor, "backups.read"),
              audit: can(role, "audit.read"),
              sources: can(role, "sources.manage"),
              members: can(role, "members.manage"),
              connections: can(role, "connections.manage"),
              destinations: can(role, "destinations.manage"),
              alerts: can(role, "alerts.manage"),
              workspace: can(role, "workspace.manage"),
            }}
            version={PRODUCT_VERSION}
            user={{ name: by.name, email: actorName(actor), role }}
          >
            <PageQueryProvider>
              {/* One boundary for all pages and no loading.tsx: a boundary of each page's own would show its placeholder at every navigation,
                  and React keeps a placeholder that it has shown for 300 ms (docs/decisions/0100). */}
              <Suspense fallback={<PageLoading />}>{children}</Suspense>
            </PageQueryProvider>
          </Frame>
        </LiveProvider>
      </TimeZoneProvider>
    </Prefetched>
  );
}
