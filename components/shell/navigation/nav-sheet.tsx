import { Sheet } from "#components/ui/overlay/panes/dialog-pane";
import { NavList, type WorkspaceChoice, WorkspaceMenu } from "./side-navigation.tsx";

type NavSheetProps = { workspace: WorkspaceChoice; sandbox: boolean; open: boolean; onOpenChange: (open: boolean) => void };

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
