"use client";

import { usePathname } from "next/navigation";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { Count } from "#components/ui/primitives/badge";
import { PageLink } from "#components/ui/primitives/page-link";

type TabItem = { value: string; label: ReactNode; count?: number | undefined; content: ReactNode };

type TabsProps = {
  label: string;
  items: TabItem[];
  value: string;
  onValueChange: (value: string) => void;
};

/** By how many tabs a key moves; to the first and the last by as many as there are. */
const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Keys as in WAI-ARIA's tabs with automatic activation; Radix's weigh a tenth of a page. */
export function Tabs({ label, items, value: shown, onValueChange }: TabsProps) {
  const id = useId();
  const select = (next: string) => next !== shown && onValueChange(next);
  function move(event: KeyboardEvent<HTMLDivElement>) {
    const at = items.findIndex((item) => item.value === shown);
    const next = items[STEPS[event.key]?.(at, items.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    select(next.value);
    document.getElementById(`${id}-${next.value}`)?.focus();
  }
  return (
    <div className="flex flex-col gap-4">
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className="flex gap-4 overflow-x-auto px-1.5 border-b border-line [scrollbar-width:none]"
      >
        {items.map((item) => (
          <button
            key={item.value}
            id={`${id}-${item.value}`}
            type="button"
            role="tab"
            aria-selected={item.value === shown}
            aria-controls={item.value === shown ? `${id}-panel` : undefined}
            data-state={item.value === shown ? "active" : "inactive"}
            tabIndex={item.value === shown ? 0 : -1}
            onClick={() => select(item.value)}
            className="-mx-1.5 -mb-px -outline-offset-2 flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-1.5 text-13 text-muted transition-colors hover:text-text data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text"
          >
            {item.label}
            {item.count === undefined ? null : <Count value={item.count} />}
          </button>
        ))}
      </div>
      {items.map((item) =>
        item.value === shown ? (
          <div
            key={item.value}
            id={`${id}-panel`}
            role="tabpanel"
            aria-labelledby={`${id}-${item.value}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel may be longer than the window, and hold nothing that takes the focus.
            tabIndex={0}
            className="rounded-md"
          >
            {item.content}
          </div>
        ) : null,
      )}
    </div>
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
