"use client";

import type { KeyboardEvent, ReactNode } from "react";

const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Arrow keys (and j, k) carry the focus from one row's link to the next. */
export function RowKeys({ className, children }: { className?: string; children: ReactNode }) {
  function move(event: KeyboardEvent<HTMLDivElement>) {
    const step = STEPS[event.key];
    const from = event.target;
    if (step === undefined || !(from instanceof HTMLElement) || from.dataset.rowLink === undefined) return;
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a[data-row-link]")];
    const next = links[links.indexOf(from) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the links inside; this only listens for them.
    <div className={className} onKeyDown={move}>
      {children}
    </div>
  );
}
