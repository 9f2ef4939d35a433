"use client";

import { ChevronsUpDown } from "lucide-react";
import { usePathname } from "next/navigation";
import { Fragment, useState } from "react";
import { BrandMark } from "#components/shell/brand-mark";
import { MenuIcon } from "#components/shell/themes";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { toast } from "#components/ui/feedback/toast";
import type { MenuEntry } from "#components/ui/overlay/panes/menu-pane";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Count } from "#components/ui/primitives/badge";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";
import { useCounts } from "#lib/client/queries/counts";
import type { Counts } from "#lib/contracts/overview";
import { isCurrent, type NavItem, navGroups } from "./navigation.tsx";

const CreateWorkspaceDialog = lazyComponent(() => import("./create-workspace-dialog.tsx").then((module) => module.CreateWorkspaceDialog));

// Not in the first load: they come from the API after it.
const SavedFilters = lazyComponent(() => import("./saved-filter-links.tsx").then((module) => module.SavedFilterLinks), true);

export type WorkspaceChoice = { id: string; name: string; all: { id: string; name: string }[]; mayCreate: boolean };

export function WorkspaceMenu({ workspace }: { workspace: WorkspaceChoice }) {
  const [creating, setCreating] = useState(false);
  async function go(id: string) {
    if (id === workspace.id) return;
    try {
      const { switchWorkspace } = await import("#lib/client/queries/account");
      await switchWorkspace(id);
      // A full page load: everything on the page belongs to the old workspace.
      location.assign("/");
    } catch (error) {
      toast.error("Couldn't switch workspace", { description: (error as Error).message });
    }
  }
  const entries: MenuEntry[] = [
    { kind: "label", label: "Workspaces" },
    {
      kind: "choice",
      value: workspace.id,
      onChange: (id) => void go(id),
      options: workspace.all.map(({ id, name }) => ({ value: id, label: name })),
    },
  ];
  if (workspace.mayCreate)
    entries.push({ kind: "line" }, { label: "Create a workspace", icon: <MenuIcon name="create" />, onSelect: () => setCreating(true) });
  return (
    <>
      <DropdownMenu
        align="start"
        className="min-w-56 max-w-72"
        label="Workspaces"
        entries={entries}
        trigger={
          <button type="button" className="flex h-12 w-full items-center gap-2.5 px-4 text-left hover:bg-hover">
            <BrandMark />
            <span className="min-w-0 flex-1 leading-4">
              <span className="block text-13 font-semibold leading-4">Signalbox</span>
              <span className="block truncate text-12 text-muted leading-4">{workspace.name}</span>
              <span className="sr-only">: switch workspace</span>
            </span>
            <ChevronsUpDown className="size-4 shrink-0 text-faint" />
          </button>
        }
      />
      {creating ? <CreateWorkspaceDialog onClose={() => setCreating(false)} /> : null}
    </>
  );
}

export function NavList({ sandbox, onNavigate }: { sandbox: boolean; onNavigate?: () => void }) {
  const path = usePathname();
  const { data } = useCounts();
  return (
    <nav aria-label="Main" className="flex flex-col gap-4">
      {navGroups(sandbox).map((group, index) => (
        <Fragment key={group.label ?? "watch"}>
          {index === 1 ? <SavedFilters {...(onNavigate ? { onNavigate } : {})} /> : null}
          <div>
            {group.label === null ? null : <p className="px-2 pb-1 text-12 text-faint">{group.label}</p>}
            <ul className="flex flex-col gap-px">
              {group.items.map((item) => (
                <li key={item.href}>
                  <NavLink item={item} current={isCurrent(item.href, path)} counts={data} {...(onNavigate ? { onNavigate } : {})} />
                </li>
              ))}
            </ul>
          </div>
        </Fragment>
      ))}
    </nav>
  );
}

type NavLinkProps = { item: NavItem; current: boolean; counts: Counts | undefined; onNavigate?: () => void };

function NavLink({ item, current, counts, onNavigate }: NavLinkProps) {
  const count = counts && item.count ? item.count(counts) : 0;
  return (
    <PageLink
      href={item.href}
      aria-current={current ? "page" : undefined}
      className={cn(
        "flex h-8 items-center gap-2.5 rounded-md px-2 text-13 text-muted transition-colors hover:bg-hover hover:text-text max-rail:h-10",
        current && "bg-hover font-medium text-text",
      )}
      {...(onNavigate ? { onClick: onNavigate } : {})}
    >
      <item.icon aria-hidden className={cn("size-4 shrink-0", current ? "text-accent-text" : "text-faint")} />
      <span className="flex-1 truncate">{item.label}</span>
      {count === 0 ? null : (
        <>
          <Count value={count} tone={item.urgent ? "failed" : "neutral"} />
          <span className="sr-only">{item.counts}</span>
        </>
      )}
    </PageLink>
  );
}
