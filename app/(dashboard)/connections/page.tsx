import type { Metadata } from "next";
import { ConnectionsPage } from "#components/connections/connections-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { listConnections } from "#lib/connections/connection-store";
import { requiredScopes } from "#lib/platform/oauth";
import { readOutcome } from "./outcome.ts";

export const metadata: Metadata = { title: "Connections" };

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function Page({ searchParams }: { searchParams: Query }) {
  const actor = await requireActor("connections.read");
  const { outcome } = await searchParams;
  const connections = await listConnections(actor.workspaceId, new Date());
  return (
    <Prefetched entries={[[["connections"], connections]]}>
      <ConnectionsPage scopes={requiredScopes()} canManage={can(actor.role, "connections.manage")} outcome={readOutcome(outcome)} />
    </Prefetched>
  );
}
