import type { Metadata } from "next";
import { AuditPage } from "#components/settings/audit-page";
import { Prefetched } from "#components/shell/prefetched";
import { AUDIT_SUBJECTS } from "#lib/auth/audit/audit-entry";
import { listAudit } from "#lib/auth/audit/audit-store";
import { requireActor } from "#lib/auth/require-actor";
import { auditLogQuery } from "#lib/client/queries/audit";
import { readFilter } from "#lib/client/url-filter";
import { AUDIT_FILTERS } from "#lib/contracts/auth/audit-filters";
import { type SearchParams, searchParamsOf } from "../../page-url.ts";

export const metadata: Metadata = { title: "Audit log" };

const ROWS = 50;

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const { workspaceId } = await requireActor("audit.read");
  const filter = readFilter(AUDIT_FILTERS, searchParamsOf(await searchParams));
  const page = await listAudit(workspaceId, filter, { limit: ROWS });
  return (
    <Prefetched entries={[[auditLogQuery(filter).queryKey, { pages: [page], pageParams: [null] }]]}>
      <AuditPage subjects={AUDIT_SUBJECTS} />
    </Prefetched>
  );
}
