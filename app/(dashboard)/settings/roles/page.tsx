import type { Metadata } from "next";
import { RolesTable } from "#components/settings/roles-table";
import { Section } from "#components/ui/section";
import { PERMISSIONS } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";

export const metadata: Metadata = { title: "Roles" };

/** The table of operations and roles, as every handler and page reads it. */
export default async function Page() {
  const { role } = await requireActor("session.read");
  const rows = Object.entries(PERMISSIONS).map(([operation, { does, roles }]) => ({ operation, does, roles }));
  return (
    <Section title="Roles" description="What each role may do here. Pages, the API and API keys all follow this table.">
      <RolesTable rows={rows} own={role} />
    </Section>
  );
}
