import type { ReactNode } from "react";
import { Frame } from "#components/shell/frame";
import { LiveProvider } from "#components/shell/live-provider";
import { Prefetched } from "#components/shell/prefetched";
import { actorName } from "#lib/auth/actor";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { env } from "#lib/config/env";
import { findLastEvent } from "#lib/events/last-event-store";
import { readCounts } from "#lib/flows/read-counts";

/** The frame of the dashboard. Layouts don't run again on navigation: every page asks requireActor itself. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor("overview.read");
  const [counts, lastEvent] = await Promise.all([readCounts(actor.workspaceId, new Date()), findLastEvent(actor.workspaceId)]);
  const { by, role, workspaceName } = actor;
  return (
    <Prefetched entries={[[["counts"], counts]]}>
      <LiveProvider lastEventAt={lastEvent?.receivedAt ?? null}>
        <Frame
          workspaceName={workspaceName}
          sandbox={env().sandboxOn && can(role, "sandbox.use")}
          user={{ name: by.name, email: actorName(actor), role }}
        >
          {children}
        </Frame>
      </LiveProvider>
    </Prefetched>
  );
}
