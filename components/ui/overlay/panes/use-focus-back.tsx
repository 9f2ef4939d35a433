"use client";

import { type RefObject, useRef } from "react";
import { focusTitle } from "../use-keep-focus.tsx";

/** Returns the focus when a window closes, to the page's heading if needed. Call `remember` before a field takes the focus. */
export function useFocusBack(anchor?: RefObject<HTMLElement | null>) {
  const before = useRef<HTMLElement | null>(null);
  const remember = () => {
    before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  };
  const content = {
    onOpenAutoFocus: remember,
    onCloseAutoFocus: (event: Event) => {
      const back = before.current?.isConnected ? before.current : anchor?.current;
      event.preventDefault();
      if (!isFocusFree()) return;
      if (back) back.focus();
      else focusTitle();
    },
  };
  return { content, remember };
}

/** True if nothing has the focus. On a busy machine a window ends late, and another may have the focus by then. */
export const isFocusFree = (): boolean => document.activeElement === null || document.activeElement === document.body;
