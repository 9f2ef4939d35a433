import type { ReactNode } from "react";
import { Frame } from "#components/shell/frame";
import { LiveProvider } from "#components/shell/live-provider";
import { Prefetched } from "#components/shell/prefetched";
import { actorName } from "#lib/auth/actor";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { workspacesOf } from "#lib/auth/workspace-store";
import { env } from "#lib/config/env";
import { findLastEvent } from "#lib/events/last-event-store";
import { readCounts } from "#lib/flows/read-counts";

/** The frame of the dashboard. Layouts don't run again on navigation: every page asks requireActor itself. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor("overview.read");
  const [counts, lastEvent] = await Promise.all([readCounts(actor.workspaceId, new Date()), findLastEvent(actor.workspaceId)]);
  const { by, role, workspaceId, workspaceName } = actor;
  const all = by.kind === "session" ? await workspacesOf(by.userId) : [];
  return (
    <Prefetched entries={[[["counts"], counts]]}>
      <LiveProvider lastEventAt={lastEvent?.receivedAt ?? null}>
        <Frame
          workspace={{
            id: workspaceId,
            name: workspaceName,
            all: all.map(({ id, name }) => ({ id, name })),
            mayCreate: can(role, "workspaces.create"),
          }}
          sandbox={env().sandboxOn && can(role, "sandbox.use")}
          user={{ name: by.name, email: actorName(actor), role }}
        >
          {children}
        </Frame>
      </LiveProvider>
    </Prefetched>
  );
}
