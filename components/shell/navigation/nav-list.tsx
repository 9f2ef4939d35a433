"use client";

import { usePathname } from "next/navigation";
import { Fragment } from "react";
import { Count } from "#components/ui/lists/count";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";
import { useCounts } from "#lib/client/queries/counts";
import type { Counts } from "#lib/contracts/overview";
import { isCurrent, type NavItem, navGroups } from "./navigation.tsx";
import { SavedFilters } from "./saved-filters.tsx";

export function NavList({ sandbox, onNavigate }: { sandbox: boolean; onNavigate?: () => void }) {
  const path = usePathname();
  const { data } = useCounts();
  return (
    <nav aria-label="Main" className="flex flex-col gap-4">
      {navGroups(sandbox).map((group, index) => (
        <Fragment key={group.label ?? "watch"}>
          {index === 1 ? <SavedFilters {...(onNavigate ? { onNavigate } : {})} /> : null}
          <div>
            {group.label === null ? null : <p className="px-2 pb-1 text-12 text-faint">{group.label}</p>}
            <ul className="flex flex-col gap-px">
              {group.items.map((item) => (
                <li key={item.href}>
                  <NavLink item={item} current={isCurrent(item.href, path)} counts={data} {...(onNavigate ? { onNavigate } : {})} />
                </li>
              ))}
            </ul>
          </div>
        </Fragment>
      ))}
    </nav>
  );
}

type NavLinkProps = { item: NavItem; current: boolean; counts: Counts | undefined; onNavigate?: () => void };

function NavLink({ item, current, counts, onNavigate }: NavLinkProps) {
  const count = counts && item.count ? item.count(counts) : 0;
  return (
    <PageLink
      href={item.href}
      aria-current={current ? "page" : undefined}
      className={cn(
        "flex h-8 items-center gap-2.5 rounded-md px-2 text-13 text-muted transition-colors hover:bg-hover hover:text-text max-rail:h-10",
        current && "bg-hover font-medium text-text",
      )}
      {...(onNavigate ? { onClick: onNavigate } : {})}
    >
      <item.icon aria-hidden className={cn("size-4 shrink-0", current ? "text-accent-text" : "text-faint")} />
      <span className="flex-1 truncate">{item.label}</span>
      {count === 0 ? null : (
        <>
          <Count value={count} tone={item.urgent ? "failed" : "neutral"} />
          <span className="sr-only">{item.counts}</span>
        </>
      )}
    </PageLink>
  );
}
