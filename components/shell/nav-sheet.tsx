"use client";

import { NavList } from "#components/shell/nav-list";
import { type WorkspaceChoice, WorkspaceMenu } from "#components/shell/workspace-menu";
import { Sheet } from "#components/ui/sheet";

type NavSheetProps = { workspace: WorkspaceChoice; sandbox: boolean; open: boolean; onOpenChange: (open: boolean) => void };

/** All pages and the workspaces, on a phone. */
export function NavSheet({ workspace, sandbox, open, onOpenChange }: NavSheetProps) {
  return (
    <Sheet title={workspace.name} open={open} onOpenChange={onOpenChange}>
      <div className="border-b border-line">
        <WorkspaceMenu workspace={workspace} />
      </div>
      <div className="px-3 py-3">
        <NavList sandbox={sandbox} onNavigate={() => onOpenChange(false)} />
      </div>
    </Sheet>
  );
}
