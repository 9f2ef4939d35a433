import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { RefusedEntry } from "#components/refused/refused-entry";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/page-body";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { readQuarantined } from "#lib/flows/read-quarantine";
import { recordId } from "../../record-id.ts";

export const metadata: Metadata = { title: "Refused request" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor("quarantine.read");
  const entry = await readQuarantined(actor.workspaceId, recordId((await params).id));
  if (!entry) notFound();
  return (
    <PageBody width="narrow">
      <Prefetched entries={[[["quarantine-entry", entry.id], entry]]}>
        <RefusedEntry id={entry.id} canAdmit={can(actor.role, "quarantine.admit")} />
      </Prefetched>
    </PageBody>
  );
}
