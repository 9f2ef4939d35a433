"use client";

import { useRef } from "react";

/**
 * Returns the focus to what had it before a window opened, also when a key
 * opened the window rather than a button.
 *
 * @returns `content`, to spread on the window's content; `remember`, to call before opening a window whose field focuses itself
 */
export function useFocusBack() {
  const before = useRef<HTMLElement | null>(null);
  const remember = () => {
    before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  };
  const content = {
    onOpenAutoFocus: remember,
    onCloseAutoFocus: (event: Event) => {
      if (!before.current?.isConnected) return;
      event.preventDefault();
      before.current.focus();
    },
  };
  return { content, remember };
}
