"use client";

import { useRef } from "react";

/**
 * Gives the focus back to what had it before a window opened, also where no
 * button opened it: a key did. Spread it on the window's content.
 */
export function useFocusBack() {
  const before = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    },
    onCloseAutoFocus: (event: Event) => {
      if (!before.current?.isConnected) return;
      event.preventDefault();
      before.current.focus();
    },
  };
}
