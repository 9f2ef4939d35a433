"use client";

import type { KeyboardEvent, MouseEvent, ReactNode } from "react";

const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

const CONTROLS = "a, button, input, select, textarea, label, summary, [role=checkbox], [role=switch], [role=menuitem]";

/** Opens the row's link on a click above it, on a time or a value with a hint, with the click's modifier keys. */
function openRow(event: MouseEvent<HTMLDivElement>) {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  if (event.defaultPrevented || !(target instanceof Element) || target.closest(CONTROLS)) return;
  // The user is selecting text to copy it.
  if (getSelection()?.toString()) return;
  const link = target.closest("tr")?.querySelector("a[data-row-link]");
  link?.dispatchEvent(new globalThis.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

/** Moves the focus between the rows' links by arrow keys (and j, k); a click anywhere in a row opens its link. */
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
    <div data-rows className={className} onKeyDown={move} onClick={openRow}>
      {children}
    </div>
  );
}
