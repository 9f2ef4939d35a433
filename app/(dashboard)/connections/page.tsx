import type { Metadata } from "next";
import { ConnectionsPage } from "#components/connections/connections-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { connectionsQuery } from "#lib/client/queries/connections";
import { listConnections } from "#lib/flows/connections/connections";
import { platformSetup, requiredScopes } from "#lib/platform/oauth";
import { readOutcome } from "./outcome.ts";

export const metadata: Metadata = { title: "Connections" };

const MAX_CONNECTIONS = 200;

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function Page({ searchParams }: { searchParams: Query }) {
  const actor = await requireActor("connections.read");
  const { outcome } = await searchParams;
  const { data } = await listConnections(actor.workspaceId, {}, { limit: MAX_CONNECTIONS }, new Date());
  return (
    <Prefetched entries={[[connectionsQuery.queryKey, data]]}>
      <ConnectionsPage
        scopes={requiredScopes()}
        platform={platformSetup()}
        canManage={can(actor.role, "connections.manage")}
        outcome={readOutcome(outcome)}
      />
    </Prefetched>
  );
}
