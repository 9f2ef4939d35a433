import type { ReactNode } from "react";
import { SettingsNav } from "#components/settings/settings-nav";
import { PageBody, PageHeader } from "#components/ui/layout/page-header";
import { mayDo } from "#lib/auth/actor";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor("session.read");
  const page = (href: string, label: string, allowed = true) => (allowed ? [{ href: `/settings${href}`, label }] : []);
  const groups = [
    { title: "You", pages: page("/account", "Your account") },
    {
      title: "Workspace",
      pages: [
        ...page("", "General"),
        ...page("/members", "Members"),
        ...page("/roles", "Roles"),
        ...page("/keys", "API keys", can(actor.role, "keys.manage")),
        ...page("/audit", "Audit log", can(actor.role, "audit.read")),
      ],
    },
    {
      title: "Events",
      pages: [...page("/sources", "Sources and secrets"), ...page("/outages", "Outages"), ...page("/field-mapping", "Field mapping")],
    },
    {
      title: "Data",
      pages: [
        ...page("/retention", "Retention"),
        ...page("/records", "Records"),
        ...page("/backups", "Backups", mayDo(actor, "backups.read")),
      ],
    },
  ];
  return (
    <PageBody className="mx-auto max-w-[1180px]">
      <PageHeader title="Settings" />
      <div className="flex min-w-0 gap-8 max-lg:flex-col max-lg:gap-4">
        <SettingsNav groups={groups} />
        <div className="flex min-w-0 flex-1 flex-col gap-6">{children}</div>
      </div>
    </PageBody>
  );
}
