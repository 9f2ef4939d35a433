"use client";

import { type RefObject, useRef } from "react";
import { focusTitle } from "../use-keep-focus.tsx";

/**
 * Returns the focus to what had it before a window opened, also when a key
 * opened the window rather than a button. If that has been removed, the page's heading gets it.
 *
 * A window that was opened before this one had gone keeps the focus.
 *
 * @param anchor the button that opened it, if one did: a field that takes the focus itself leaves no trace of what had it before
 * @returns `content`, to spread on the window's content; `remember`, to call before opening a window whose field focuses itself
 */
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

/** True if nothing has the focus: a window that has closed had it. On a busy machine its end comes a moment later, and another may have it by then. */
export const isFocusFree = (): boolean => document.activeElement === null || document.activeElement === document.body;
