import type { ReactNode } from "react";
import type { Role } from "#lib/contracts/auth/settings";
import { BottomBar } from "./navigation/bottom-bar.tsx";
import { LostConnection } from "./navigation/lost-connection.tsx";
import { NavigationState, TabState } from "./navigation/navigation-state.tsx";
import { Rail } from "./navigation/rail.tsx";
import { TopBar } from "./navigation/top-bar.tsx";
import type { WorkspaceChoice } from "./navigation/workspace-menu.tsx";
import { CommandsProvider } from "./palette/commands.tsx";
import { KeysHelp } from "./palette/keys-help.tsx";
import type { Rights } from "./palette/places.tsx";
import { ProductVersion } from "./product-version.tsx";
import { SkipLink } from "./skip-link.tsx";

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
