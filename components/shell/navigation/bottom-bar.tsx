"use client";

import { Menu } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";
import { useCounts } from "#lib/client/queries/counts";
import { BOTTOM_ITEMS, isCurrent } from "./navigation.tsx";
import type { WorkspaceChoice } from "./side-navigation.tsx";

const NavSheet = lazyComponent(() => import("./nav-sheet.tsx").then((module) => module.NavSheet));

const itemLook =
  "relative flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-12 text-muted aria-[current=page]:text-accent-text";

export function BottomBar({ workspace, sandbox }: { workspace: WorkspaceChoice; sandbox: boolean }) {
  const path = usePathname();
  const { data } = useCounts();
  const [open, setOpen] = useState(false);
  const elsewhere = !BOTTOM_ITEMS.some(({ href }) => isCurrent(href, path));
  return (
    <nav
      aria-label="Quick"
      className="sticky bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] rail:hidden print:hidden"
    >
      {BOTTOM_ITEMS.map((item) => (
        <PageLink key={item.href} href={item.href} aria-current={isCurrent(item.href, path) ? "page" : undefined} className={itemLook}>
          <item.icon aria-hidden className="size-5" />
          {item.label}
          {item.urgent && data && item.count && item.count(data) > 0 ? (
            <span className="absolute top-1.5 left-1/2 ml-2.5 size-2 rounded-full bg-failed-mark">
              <span className="sr-only">{`${item.count(data)} ${item.counts}`}</span>
            </span>
          ) : null}
        </PageLink>
      ))}
      <button type="button" onClick={() => setOpen(true)} className={cn(itemLook, elsewhere && "text-accent-text")}>
        <Menu className="size-5" />
        More
      </button>
      {open ? <NavSheet workspace={workspace} sandbox={sandbox} open onOpenChange={setOpen} /> : null}
    </nav>
  );
}
