import type { Metadata } from "next";
import { FindingsPage } from "#components/findings/findings-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/page-body";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { findingState } from "#lib/contracts/findings";
import { listFindings } from "#lib/findings/finding-store";

export const metadata: Metadata = { title: "Missing" };

const ROWS = 50;

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const actor = await requireActor("findings.read");
  const state = findingState.safeParse((await searchParams).state).data ?? "open";
  const page = await listFindings(actor.workspaceId, { state, limit: ROWS });
  return (
    <PageBody>
      <Prefetched entries={[[["findings", "list", state], { pages: [page], pageParams: [null] }]]}>
        <FindingsPage canDismiss={can(actor.role, "findings.dismiss")} />
      </Prefetched>
    </PageBody>
  );
}
