"use client";

import { usePathname } from "next/navigation";
import { BrandMark } from "#components/shell/brand-mark";
import { LiveIndicator } from "#components/shell/live/live-indicator";
import { CommandPalette } from "#components/shell/palette/command-palette";
import type { PaletteScope } from "#components/shell/palette/places";
import { PageLink } from "#components/ui/primitives/page-link";
import type { Role } from "#lib/contracts/auth/settings";
import { HelpMenu } from "./help-menu.tsx";
import { isCurrent, navGroups } from "./navigation.tsx";
import { UserMenu } from "./user-menu.tsx";

type TopBarProps = { palette: PaletteScope; user: { name: string | null; email: string; role: Role } };

export function TopBar({ palette, user }: TopBarProps) {
  const path = usePathname();
  const here = navGroups(palette.rights.sandbox)
    .flatMap(({ items }) => items)
    .find(({ href }) => isCurrent(href, path));
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b border-line bg-surface px-4 rail:px-6">
      <PageLink href="/" aria-label="Signalbox, overview" className="rail:hidden">
        <BrandMark />
      </PageLink>
      <div className="min-w-0 flex-1 truncate text-13 text-muted">
        {here === undefined ? null : (
          <PageLink href={here.href} className="rounded-sm hover:text-text">
            {here.label}
          </PageLink>
        )}
      </div>
      {/* As wide as what it holds: a browser that has a part of the page shows that part where it stays. */}
      <div className="flex shrink-0 items-center gap-2 rail:w-[536px]">
        <CommandPalette {...palette} />
        <LiveIndicator />
        <HelpMenu />
        <UserMenu {...user} />
      </div>
    </header>
  );
}
