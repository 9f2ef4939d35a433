import type { Metadata } from "next";
import { RolesTable } from "#components/settings/roles-table";
import { Section } from "#components/ui/layout/section";
import { PERMISSIONS } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { role } from "#lib/contracts/auth/settings";

export const metadata: Metadata = { title: "Roles" };

export default async function Page() {
  const { role: own } = await requireActor("session.read");
  const rows = Object.entries(PERMISSIONS).map(([operation, { does, roles }]) => ({ operation, does, roles }));
  return (
    <Section title="Roles" description="What each role can do, in the app, in the API and with API keys.">
      <RolesTable rows={rows} roles={role.options} own={own} />
    </Section>
  );
}
