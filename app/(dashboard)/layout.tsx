import type { ReactNode } from "react";
import { Frame } from "#components/shell/frame";
import { LiveProvider } from "#components/shell/live-provider";
import { Prefetched } from "#components/shell/prefetched";
import { actorName } from "#lib/auth/actor";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { env } from "#lib/config/env";
import { readOverview } from "#lib/flows/read-overview";
import { readSources } from "#lib/flows/read-sources";

/** The frame of the dashboard. Layouts don't run again on navigation: every page asks requireActor itself. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor("overview.read");
  const [overview, sources] = await Promise.all([readOverview(actor.workspaceId, new Date()), readSources(actor.workspaceId)]);
  const lastEventAt = sources.map((source) => source.lastEventAt ?? "").reduce((a, b) => (a > b ? a : b), "");
  const { by, role, workspaceName } = actor;
  return (
    <Prefetched entries={[[["overview"], overview]]}>
      <LiveProvider lastEventAt={lastEventAt === "" ? null : lastEventAt}>
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
