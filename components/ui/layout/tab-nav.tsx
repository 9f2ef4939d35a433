"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { PageLink } from "#components/ui/primitives/page-link";

export function TabNav({ label, items }: { label: string; items: { href: string; label: string }[] }) {
  const path = usePathname();
  const tabs = useRef<HTMLElement>(null);
  const current = useRef<HTMLAnchorElement>(null);
  const here = currentOf(items, path);
  // On a narrow screen only the tabs scroll, not the page, which may already be scrolled.
  useEffect(() => {
    if (!path || !tabs.current || !current.current) return;
    const { offsetLeft, offsetWidth } = current.current;
    tabs.current.scrollLeft = offsetLeft + (offsetWidth - tabs.current.clientWidth) / 2;
  }, [path]);
  return (
    <nav ref={tabs} aria-label={label} className="relative flex gap-3 overflow-x-auto border-b border-line px-1.5 [scrollbar-width:none]">
      {items.map((item) => (
        <PageLink
          key={item.href}
          ref={here === item.href ? current : null}
          href={item.href}
          aria-current={here === item.href ? "page" : undefined}
          className="-mx-1.5 -mb-px -outline-offset-2 flex h-9 shrink-0 items-center border-b-2 border-transparent px-1.5 text-13 text-muted transition-colors hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
        >
          {item.label}
        </PageLink>
      ))}
    </nav>
  );
}

/** Returns the tab whose URL is the longest prefix of the path. */
export function currentOf(items: { href: string }[], path: string): string | undefined {
  const above = items.map(({ href }) => href).filter((href) => path === href || path.startsWith(`${href}/`));
  return above.sort((a, b) => b.length - a.length)[0];
}
