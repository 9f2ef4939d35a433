import type { ReactNode } from "react";
import { PageBody } from "#components/ui/layout/page-body";
import { PageHeader } from "#components/ui/layout/page-header";
import { TabNav } from "#components/ui/layout/tab-nav";
import { mayDo } from "#lib/auth/actor";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor("session.read");
  const tabs = [
    { href: "/settings", label: "Workspace" },
    { href: "/settings/account", label: "Your account" },
    { href: "/settings/members", label: "Members" },
    { href: "/settings/roles", label: "Roles" },
    ...(can(actor.role, "keys.manage") ? [{ href: "/settings/keys", label: "API keys" }] : []),
    { href: "/settings/sources", label: "Sources and secrets" },
    { href: "/settings/field-mapping", label: "Field mapping" },
    { href: "/settings/alerts", label: "Alerts" },
    { href: "/settings/retention", label: "Retention" },
    { href: "/settings/records", label: "Records" },
    ...(mayDo(actor, "backups.read") ? [{ href: "/settings/backups", label: "Backups" }] : []),
    ...(can(actor.role, "audit.read") ? [{ href: "/settings/audit", label: "Audit log" }] : []),
  ];
  return (
    <PageBody width="narrow">
      <PageHeader title="Settings" />
      <TabNav label="Settings" items={tabs} />
      {children}
    </PageBody>
  );
}
