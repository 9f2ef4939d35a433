import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { QuarantinedRequestPage } from "#components/quarantine/quarantined-request";
import { PrefetchedPage } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { quarantineEntryQuery } from "#lib/client/queries/quarantine";
import { readQuarantined } from "#lib/flows/quarantine/quarantine";
import { recordId } from "../../page-url.ts";

export const metadata: Metadata = { title: "Quarantined request" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor("quarantine.read");
  const entry = await readQuarantined(actor.workspaceId, recordId((await params).id), new Date());
  if (!entry) notFound();
  return (
    <PrefetchedPage entries={[[quarantineEntryQuery(entry.id).queryKey, entry]]}>
      <QuarantinedRequestPage
        id={entry.id}
        canRelease={can(actor.role, "quarantine.release")}
        canDismiss={can(actor.role, "quarantine.dismiss")}
        canManage={can(actor.role, "sources.manage")}
      />
    </PrefetchedPage>
  );
}
