import type { ReactNode } from "react";
import { BottomBar } from "#components/shell/bottom-bar";
import { CommandsProvider } from "#components/shell/commands";
import { KeysHelp } from "#components/shell/keys-help";
import { Rail } from "#components/shell/rail";
import { TopBar } from "#components/shell/top-bar";
import type { WorkspaceChoice } from "#components/shell/workspace-menu";
import type { Role } from "#lib/contracts/settings";

type FrameProps = {
  workspace: WorkspaceChoice;
  /** Shows the sandbox platform's page. */
  sandbox: boolean;
  user: { name: string | null; email: string; role: Role };
  children: ReactNode;
};

/** The frame of every page of the dashboard: rail, top bar, the page, a phone's bottom bar. */
export function Frame({ workspace, sandbox, user, children }: FrameProps) {
  return (
    <CommandsProvider>
      <div className="flex min-h-dvh">
        <a
          href="#content"
          className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-1.5 text-13 font-medium text-accent-contrast focus:translate-y-0"
        >
          Skip to the page
        </a>
        <Rail workspace={workspace} sandbox={sandbox} />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar sandbox={sandbox} user={user} />
          <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
            {children}
          </main>
          <BottomBar workspace={workspace} sandbox={sandbox} />
        </div>
      </div>
      <KeysHelp />
    </CommandsProvider>
  );
}
