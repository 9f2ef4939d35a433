"use client";

import { ChevronsUpDown, Plus } from "lucide-react";
import { useState } from "react";
import { BrandMark } from "#components/shell/brand-mark";
import { CreateWorkspaceDialog } from "#components/shell/create-workspace-dialog";
import { DropdownMenu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "#components/ui/dropdown-menu";
import { toast } from "#components/ui/toast";
import { switchWorkspace } from "#lib/client/account";

/** The workspaces of the person who looks, the present one's id, and whether another may be made. */
export type WorkspaceChoice = { id: string; name: string; all: { id: string; name: string }[]; mayCreate: boolean };

/** Which workspace this is, the others, and a new one. */
export function WorkspaceMenu({ workspace }: { workspace: WorkspaceChoice }) {
  const [creating, setCreating] = useState(false);
  async function go(id: string) {
    if (id === workspace.id) return;
    try {
      await switchWorkspace(id);
      // The whole page is left: all that it holds is of the old workspace.
      location.assign("/");
    } catch (error) {
      toast.error("Not switched", { description: (error as Error).message });
    }
  }
  return (
    <>
      <DropdownMenu
        align="start"
        className="min-w-56 max-w-72"
        trigger={
          <button type="button" className="flex h-12 w-full items-center gap-2.5 px-4 text-left hover:bg-hover">
            <BrandMark />
            <span className="min-w-0 flex-1 leading-4">
              <span className="block text-13 font-semibold leading-4">Signalbox</span>
              <span className="block truncate text-12 text-muted leading-4">{workspace.name}</span>
              <span className="sr-only">: switch the workspace</span>
            </span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-faint" />
          </button>
        }
      >
        <MenuLabel>Workspaces</MenuLabel>
        <MenuChoice
          value={workspace.id}
          onValueChange={(id) => void go(id)}
          options={workspace.all.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {workspace.mayCreate ? (
          <>
            <MenuSeparator />
            <MenuItem icon={<Plus aria-hidden />} onSelect={() => setCreating(true)}>
              Create a workspace
            </MenuItem>
          </>
        ) : null}
      </DropdownMenu>
      <CreateWorkspaceDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}
