"use client";

import { useTheme } from "next-themes";
import { useSignOut } from "#components/shell/sign-out";
import { MenuIcon, THEMES } from "#components/shell/themes";
import { toast } from "#components/ui/feedback/toast";
import { DropdownMenu } from "#components/ui/overlay/dropdown-menu";
import type { MenuEntry } from "#components/ui/overlay/menu-entry";
import type { Role } from "#lib/contracts/auth/settings";

export function UserMenu({ name, email, role }: { name: string | null; email: string; role: Role }) {
  const { theme = "system", setTheme } = useTheme();
  const signOut = useSignOut();
  const entries: MenuEntry[] = [
    { kind: "content", content: <Who name={name} email={email} role={role} /> },
    { kind: "line" },
    { kind: "label", label: "Theme" },
    { kind: "choice", value: theme, onChange: setTheme, options: THEMES },
    { kind: "line" },
    { kind: "item", label: "Your account", icon: <MenuIcon name="account" />, href: "/settings/account" },
    { kind: "item", label: "Settings", icon: <MenuIcon name="settings" />, href: "/settings" },
    { kind: "item", label: "Sign out", icon: <MenuIcon name="signOut" />, onSelect: () => void signOut().catch(reportSignOutFailure) },
  ];
  return (
    <DropdownMenu
      className="min-w-56"
      label={`Account menu for ${email}`}
      entries={entries}
      trigger={
        <button
          type="button"
          aria-label={`Account menu for ${email}`}
          className="flex size-8 items-center justify-center rounded-full border border-line-strong bg-raised text-12 font-medium hover:bg-hover"
        >
          {(name ?? email).charAt(0).toUpperCase()}
        </button>
      }
    />
  );
}

function Who({ name, email, role }: { name: string | null; email: string; role: Role }) {
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
