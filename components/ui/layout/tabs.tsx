"use client";

import { usePathname } from "next/navigation";
import { Tabs as Radix } from "radix-ui";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Count } from "#components/ui/primitives/badge";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";

type TabItem = { value: string; label: ReactNode; count?: number | undefined; content: ReactNode };

type TabsProps = {
  label: string;
  items: TabItem[];
  value?: string;
  defaultValue?: string;
  onValueChange?: (value: string) => void;
  className?: string;
};

/** Keeps its own state without `value`, starting with the first tab. */
export function Tabs({ label, items, value, defaultValue, onValueChange, className }: TabsProps) {
  const [own, setOwn] = useState(defaultValue ?? items[0]?.value ?? "");
  const shown = value ?? own;
  const select = (next: string) => {
    if (next === shown) return;
    setOwn(next);
    onValueChange?.(next);
  };
  return (
    <Radix.Root value={shown} onValueChange={select} className={cn("flex flex-col gap-4", className)}>
      <Radix.List aria-label={label} className="flex gap-4 overflow-x-auto px-1.5 border-b border-line [scrollbar-width:none]">
        {items.map((item) => (
          <Radix.Trigger
            key={item.value}
            value={item.value}
            // Radix selects at mousedown; a press from before hydration is repeated as a click only.
            onClick={() => select(item.value)}
            className="-mx-1.5 -mb-px -outline-offset-2 flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-1.5 text-13 text-muted transition-colors hover:text-text data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text"
          >
            {item.label}
            {item.count === undefined ? null : <Count value={item.count} />}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {items.map((item) => (
        <Radix.Content key={item.value} value={item.value} className="rounded-md">
          {item.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

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
