import { useTheme } from "next-themes";
import { useProductVersion } from "#components/shell/brand-mark";
import { useCommandList } from "#components/shell/palette/commands";
import { useSignOut } from "#components/shell/sign-out";
import { MenuIcon, THEMES } from "#components/shell/themes";
import { toast } from "#components/ui/feedback/toast";
import type { OverlayPane } from "#components/ui/overlay/overlay";
import { MenuPane } from "#components/ui/overlay/panes/menu-pane";
import type { PaneOptions } from "#components/ui/overlay/panes/use-pane-content";
import { Kbd } from "#components/ui/primitives/kbd";
import type { Role } from "#lib/contracts/auth/settings";

export type User = { name: string | null; email: string; role: Role };

type PaneProps = OverlayPane & PaneOptions;

export function HelpPane(pane: PaneProps) {
  const version = useProductVersion();
  const showKeys = useCommandList().find(({ keys }) => keys === "?")?.run;
  return (
    <MenuPane
      {...pane}
      className="min-w-56"
      entries={[
        { label: "Documentation", icon: <MenuIcon name="documentation" />, href: "/docs" },
        { label: "API reference", icon: <MenuIcon name="api" />, href: "/api-reference" },
        {
          label: "Keyboard shortcuts",
          icon: <MenuIcon name="keys" />,
          hint: <Kbd>?</Kbd>,
          // The menu restores the focus first; then the sheet takes it.
          onSelect: () => setTimeout(() => showKeys?.()),
        },
        { kind: "line" },
        { kind: "content", content: <p className="px-2 py-1.5 text-12 text-muted">Signalbox {version}</p> },
      ]}
    />
  );
}

export function UserPane({ user, ...pane }: PaneProps & { user: User }) {
  const { theme = "system", setTheme } = useTheme();
  const signOut = useSignOut();
  return (
    <MenuPane
      {...pane}
      className="min-w-56"
      entries={[
        { kind: "content", content: <Who {...user} /> },
        { kind: "line" },
        { kind: "label", label: "Theme" },
        { kind: "choice", value: theme, onChange: setTheme, options: THEMES },
        { kind: "line" },
        { label: "Your account", icon: <MenuIcon name="account" />, href: "/settings/account" },
        { label: "Settings", icon: <MenuIcon name="settings" />, href: "/settings" },
        { label: "Sign out", icon: <MenuIcon name="signOut" />, onSelect: () => void signOut().catch(reportSignOutFailure) },
      ]}
    />
  );
}

function Who({ name, email, role }: User) {
  return (
    <div className="px-2 py-1.5">
      <p className="truncate text-13 font-medium">{name ?? email}</p>
      <p className="truncate text-12 text-muted">{name === null ? `Role: ${role}` : `${email} · ${role}`}</p>
    </div>
  );
}

function reportSignOutFailure() {
  toast.error("Couldn't sign out", { description: "Signalbox isn't responding. Try again." });
}
