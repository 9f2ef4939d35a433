"use client";

import { CircleUser, LogOut, Settings } from "lucide-react";
import { leave } from "#components/shell/leave";
import { ThemeChoice } from "#components/shell/theme-choice";
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from "#components/ui/dropdown-menu";
import { toast } from "#components/ui/toast";
import type { Role } from "#lib/contracts/settings";

/** Who is signed in, as what, the theme, and the way out. */
export function UserMenu({ name, email, role }: { name: string | null; email: string; role: Role }) {
  const initial = (name ?? email).charAt(0).toUpperCase();
  return (
    <DropdownMenu
      className="min-w-56"
      trigger={
        <button
          type="button"
          aria-label={`Account of ${email}`}
          className="flex size-8 items-center justify-center rounded-full border border-line-strong bg-raised text-12 font-medium hover:bg-hover"
        >
          {initial}
        </button>
      }
    >
      <div className="px-2 py-1.5">
        <p className="truncate text-13 font-medium">{name ?? email}</p>
        <p className="truncate text-12 text-muted">{name === null ? `Role: ${role}` : `${email} · ${role}`}</p>
      </div>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <ThemeChoice />
      <MenuSeparator />
      <MenuItem icon={<CircleUser aria-hidden />} href="/settings/account">
        Your account
      </MenuItem>
      <MenuItem icon={<Settings aria-hidden />} href="/settings">
        Settings
      </MenuItem>
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void leave().catch(notLeft)}>
        Sign out
      </MenuItem>
    </DropdownMenu>
  );
}

function notLeft() {
  toast.error("Not signed out", { description: "Signalbox does not answer. Try again." });
}
