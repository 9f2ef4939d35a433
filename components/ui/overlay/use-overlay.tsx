"use client";

import { cloneElement, type KeyboardEvent, type ReactElement, useId, useRef, useState } from "react";

type Opening = { open?: boolean | undefined; onOpenChange?: ((open: boolean) => void) | undefined };

/**
 * State for what a button opens: a menu, a popover, a dialog. Its code is
 * fetched when the pointer or the focus reaches the button, before the click.
 *
 * @param trigger the button; none for what its parent opens
 * @returns the trigger to render, whether the pane has to be rendered, and the pane's props
 */
export function useOverlay(role: "menu" | "dialog", trigger: ReactElement | undefined, { open: controlled, onOpenChange }: Opening = {}) {
  const id = useId();
  const anchor = useRef<HTMLElement>(null);
  const [own, setOwn] = useState(false);
  const [near, setNear] = useState(false);
  const open = controlled ?? own;
  const setOpen = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };
  const prepare = () => setNear(true);
  const props = {
    ref: anchor,
    "aria-haspopup": role,
    "aria-expanded": open,
    ...(open && { "aria-controls": id }),
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: () => setOpen(!open),
    ...(role === "menu" && {
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        setOpen(true);
      },
    }),
  };
  return { trigger: trigger ? cloneElement(trigger, props) : null, shown: near || open, pane: { id, anchor, open, onOpenChange: setOpen } };
}

export type OverlayPane = ReturnType<typeof useOverlay>["pane"];
