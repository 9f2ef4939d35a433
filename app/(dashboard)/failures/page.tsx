import type { Metadata } from "next";
import { FailuresPage } from "#components/failures/failures-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/page-body";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { readFailures } from "#lib/flows/read-failures";

export const metadata: Metadata = { title: "Failures" };

const ROWS = 50;

export default async function Page() {
  const actor = await requireActor("events.read");
  const page = await readFailures(actor.workspaceId, { limit: ROWS });
  return (
    <PageBody>
      <Prefetched entries={[[["failures"], { pages: [page], pageParams: [null] }]]}>
        <FailuresPage canRedeliver={can(actor.role, "events.redeliver")} />
      </Prefetched>
    </PageBody>
  );
}
