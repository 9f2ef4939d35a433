import type { Metadata } from "next";
import { RetentionPage } from "#components/settings/retention-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { retentionQuery } from "#lib/client/queries/maintenance";
import { sourcesQuery } from "#lib/client/queries/settings";
import { findRetention } from "#lib/events/retention-store";
import { readSources } from "#lib/flows/sources/read-sources";

export const metadata: Metadata = { title: "Retention" };

export default async function Page() {
  const actor = await requireActor("retention.read");
  return (
    <Prefetched
      entries={[
        [retentionQuery.queryKey, await findRetention(actor.workspaceId, new Date())],
        [sourcesQuery.queryKey, await readSources(actor.workspaceId)],
      ]}
    >
      <RetentionPage canManage={can(actor.role, "retention.manage")} />
    </Prefetched>
  );
}
