import type { Metadata } from "next";
import { AuditPage } from "#components/settings/audit-page";
import { AUDIT_SUBJECTS } from "#lib/auth/audit/audit-entry";
import { requireActor } from "#lib/auth/require-actor";

export const metadata: Metadata = { title: "Audit log" };

export default async function Page() {
  await requireActor("audit.read");
  return <AuditPage subjects={AUDIT_SUBJECTS} />;
}
