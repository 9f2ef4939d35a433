import type { Metadata } from "next";
import { SourcesPage } from "#components/settings/sources/sources-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { sourcesQuery } from "#lib/client/queries/settings";
import { readSources } from "#lib/flows/sources/read-sources";

export const metadata: Metadata = { title: "Sources and secrets" };

export default async function Page() {
  const actor = await requireActor("sources.read");
  return (
    <Prefetched entries={[[sourcesQuery.queryKey, await readSources(actor.workspaceId)]]}>
      <SourcesPage canManage={can(actor.role, "sources.manage")} />
    </Prefetched>
  );
}
