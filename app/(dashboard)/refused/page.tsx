import type { Metadata } from "next";
import { RefusedPage } from "#components/refused/refused-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/page-body";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { readQuarantine } from "#lib/flows/read-quarantine";

export const metadata: Metadata = { title: "Refused" };

const ROWS = 50;

export default async function Page() {
  const actor = await requireActor("quarantine.read");
  const page = await readQuarantine(actor.workspaceId, { limit: ROWS });
  return (
    <PageBody>
      <Prefetched entries={[[["quarantine"], { pages: [page], pageParams: [null] }]]}>
        <RefusedPage canAdmit={can(actor.role, "quarantine.admit")} />
      </Prefetched>
    </PageBody>
  );
}
