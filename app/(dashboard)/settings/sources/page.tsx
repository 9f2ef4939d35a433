import type { Metadata } from "next";
import { SourcesPage } from "#components/settings/sources-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { readSources } from "#lib/flows/read-sources";

export const metadata: Metadata = { title: "Sources and secrets" };

export default async function Page() {
  const actor = await requireActor("sources.read");
  return (
    <Prefetched entries={[[["settings", "sources"], await readSources(actor.workspaceId)]]}>
      <SourcesPage canManage={can(actor.role, "sources.manage")} />
    </Prefetched>
  );
}
