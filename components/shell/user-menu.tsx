"use client";

import { CircleUser, LogOut, Settings } from "lucide-react";
import { useTheme } from "next-themes";
import { leave } from "#components/shell/leave";
import { THEMES } from "#components/shell/themes";
import { DropdownMenu } from "#components/ui/dropdown-menu";
import type { MenuEntry } from "#components/ui/menu-entry";
import { toast } from "#components/ui/toast";
import type { Role } from "#lib/contracts/settings";

/** Who is signed in, as what, the theme, and the way out. */
export function UserMenu({ name, email, role }: { name: string | null; email: string; role: Role }) {
  const { theme = "system", setTheme } = useTheme();
  const entries: MenuEntry[] = [
    { kind: "words", words: <Who name={name} email={email} role={role} /> },
    { kind: "line" },
    { kind: "label", label: "Theme" },
    { kind: "choice", value: theme, onChange: setTheme, options: THEMES },
    { kind: "line" },
    { kind: "item", label: "Your account", icon: <CircleUser aria-hidden />, href: "/settings/account" },
    { kind: "item", label: "Settings", icon: <Settings aria-hidden />, href: "/settings" },
    { kind: "item", label: "Sign out", icon: <LogOut aria-hidden />, onSelect: () => void leave().catch(notLeft) },
  ];
  return (
    <DropdownMenu
      className="min-w-56"
      label={`Account of ${email}`}
      entries={entries}
      trigger={
        <button
          type="button"
          aria-label={`Account of ${email}`}
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

function notLeft() {
  toast.error("Not signed out", { description: "Signalbox does not answer. Try again." });
}
