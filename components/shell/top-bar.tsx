"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { BrandMark } from "#components/shell/brand-mark";
import { CommandPalette } from "#components/shell/command-palette";
import { LiveIndicator } from "#components/shell/live-indicator";
import { isCurrent, navGroups } from "#components/shell/navigation";
import { UserMenu } from "#components/shell/user-menu";
import type { Role } from "#lib/contracts/settings";

type TopBarProps = { sandbox: boolean; user: { name: string | null; email: string; role: Role } };

/** Where one is, search, the live dot, the account. */
export function TopBar({ sandbox, user }: TopBarProps) {
  const path = usePathname();
  const here = navGroups(sandbox)
    .flatMap(({ items }) => items)
    .find(({ href }) => isCurrent(href, path));
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b border-line bg-surface px-4 rail:px-6">
      <Link href="/" aria-label="Signalbox, overview" className="rail:hidden">
        <BrandMark />
      </Link>
      <div className="min-w-0 flex-1 truncate text-13 text-muted">
        {here === undefined ? null : (
          <Link href={here.href} className="rounded-sm hover:text-text">
            {here.label}
          </Link>
        )}
      </div>
      <CommandPalette sandbox={sandbox} />
      <LiveIndicator />
      <UserMenu {...user} />
    </header>
  );
}
