"use client";

import { ChevronsUpDown } from "lucide-react";
import { useState } from "react";
import { BrandMark } from "#components/shell/brand-mark";
import { MenuIcon } from "#components/shell/themes";
import { toast } from "#components/ui/feedback/toast";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { DropdownMenu } from "#components/ui/overlay/dropdown-menu";
import type { MenuEntry } from "#components/ui/overlay/menu-entry";

const CreateWorkspaceDialog = lazyComponent(() => import("./create-workspace-dialog.tsx").then((module) => module.CreateWorkspaceDialog));

export type WorkspaceChoice = { id: string; name: string; all: { id: string; name: string }[]; mayCreate: boolean };

export function WorkspaceMenu({ workspace }: { workspace: WorkspaceChoice }) {
  const [creating, setCreating] = useState(false);
  async function go(id: string) {
    if (id === workspace.id) return;
    try {
      const { switchWorkspace } = await import("#lib/client/queries/auth/account");
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
    entries.push(
      { kind: "line" },
      { kind: "item", label: "Create a workspace", icon: <MenuIcon name="create" />, onSelect: () => setCreating(true) },
    );
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
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-faint" />
          </button>
        }
      />
      {creating ? <CreateWorkspaceDialog open onOpenChange={setCreating} /> : null}
    </>
  );
}
