"use client";

import { cloneElement, type KeyboardEvent, type ReactElement, useId, useRef, useState } from "react";

type Opening = { open?: boolean | undefined; onOpenChange?: ((open: boolean) => void) | undefined };

/**
 * What a button opens beside itself: a menu, a pane. Its code is fetched when
 * the pointer or the focus comes to the button, long before the press.
 *
 * @returns the trigger to show, whether the pane has to be in the page, and what the pane is given
 */
export function useOverlay(role: "menu" | "dialog", trigger: ReactElement, { open: asked, onOpenChange }: Opening = {}) {
  const id = useId();
  const anchor = useRef<HTMLElement>(null);
  const [own, setOwn] = useState(false);
  const [near, setNear] = useState(false);
  const open = asked ?? own;
  const setOpen = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };
  const come = () => setNear(true);
  const props = {
    ref: anchor,
    "aria-haspopup": role,
    "aria-expanded": open,
    ...(open && { "aria-controls": id }),
    onPointerEnter: come,
    onFocus: come,
    onClick: () => setOpen(!open),
    ...(role === "menu" && {
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        setOpen(true);
      },
    }),
  };
  return { trigger: cloneElement(trigger, props), shown: near || open, pane: { id, anchor, open, onOpenChange: setOpen } };
}

export type OverlayPane = ReturnType<typeof useOverlay>["pane"];
