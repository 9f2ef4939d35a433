import type { ReactNode } from "react";
import { LoadingState, Skeleton } from "#components/ui/layout/content-states";
import { PageBody } from "#components/ui/layout/page-header";
import type { Role } from "#lib/contracts/auth/settings";
import { ProductVersion } from "./brand-mark.tsx";
import { BottomBar } from "./navigation/bottom-bar.tsx";
import { LostConnection, NavigationState, TabState } from "./navigation/navigation-state.tsx";
import { NavList, type WorkspaceChoice, WorkspaceMenu } from "./navigation/side-navigation.tsx";
import { SkipLink, TopBar } from "./navigation/top-bar.tsx";
import { CommandsProvider } from "./palette/commands.tsx";
import { KeysHelp } from "./palette/keys-help.tsx";
import type { Rights } from "./palette/palette-groups.tsx";

type FrameProps = {
  workspace: WorkspaceChoice;
  rights: Rights;
  user: { name: string | null; email: string; role: Role };
  version: string;
  children: ReactNode;
};

export function Frame({ workspace, rights, user, version, children }: FrameProps) {
  const { sandbox } = rights;
  return (
    <ProductVersion value={version}>
      <CommandsProvider>
        <div className="flex min-h-dvh">
          <SkipLink target="content" />
          <Rail workspace={workspace} sandbox={sandbox} />
          <div className="flex min-w-0 flex-1 flex-col">
            <TopBar palette={{ rights, scope: `${workspace.id}.${user.email}` }} user={user} />
            <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
              {children}
            </main>
            <BottomBar workspace={workspace} sandbox={sandbox} />
          </div>
        </div>
        <KeysHelp sandbox={sandbox} />
        <TabState />
        <NavigationState />
        <LostConnection />
      </CommandsProvider>
    </ProductVersion>
  );
}

function Rail({ workspace, sandbox }: { workspace: WorkspaceChoice; sandbox: boolean }) {
  return (
    <aside
      aria-label="Workspace"
      className="sticky top-0 hidden h-dvh w-[216px] shrink-0 flex-col border-r border-line bg-sunken rail:flex print:hidden"
    >
      <WorkspaceMenu workspace={workspace} />
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pt-2 pb-4">
        <NavList sandbox={sandbox} />
      </div>
    </aside>
  );
}

export function PageLoading() {
  return (
    <PageBody>
      <Skeleton className="h-8 w-48" />
      <LoadingState what="the page" rows={12} />
    </PageBody>
  );
}
