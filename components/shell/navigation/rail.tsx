import { NavList } from "./nav-list.tsx";
import { type WorkspaceChoice, WorkspaceMenu } from "./workspace-menu.tsx";

export function Rail({ workspace, sandbox }: { workspace: WorkspaceChoice; sandbox: boolean }) {
  return (
    <aside
      aria-label="Workspace"
      className="sticky top-0 hidden h-dvh w-[216px] shrink-0 flex-col border-r border-line bg-sunken rail:flex"
    >
      <WorkspaceMenu workspace={workspace} />
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pt-2 pb-4">
        <NavList sandbox={sandbox} />
      </div>
    </aside>
  );
}
