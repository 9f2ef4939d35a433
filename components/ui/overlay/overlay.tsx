"use client";

import { type ComponentType, cloneElement, type KeyboardEvent, type ReactElement, useId, useRef, useState } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";

type Opening = { open?: boolean | undefined; onOpenChange?: ((open: boolean) => void) | undefined };

/** The button is left out of what its parent opens. */
type OverlayProps<Content> = Content & Opening & { trigger?: ReactElement | undefined };

/**
 * A button and what it opens: a menu, a popover, a dialog. The pane's code is
 * fetched when the pointer or the focus reaches the button, before the click.
 *
 * @param load imports the pane
 */
export function overlay<Content extends object>(role: "menu" | "dialog", load: () => Promise<ComponentType<Content & OverlayPane>>) {
  const Pane = lazyComponent(load);
  return function Overlay({ trigger, open, onOpenChange, ...content }: OverlayProps<Content>) {
    const { button, shown, pane } = useOverlay(role, trigger, { open, onOpenChange });
    return (
      <>
        {button}
        {shown ? <Pane {...(content as unknown as Content)} {...pane} /> : null}
      </>
    );
  };
}

/** @returns the button to render, whether the pane has to be rendered, and the pane's props */
function useOverlay(role: "menu" | "dialog", trigger: ReactElement | undefined, { open: controlled, onOpenChange }: Opening = {}) {
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
  return { button: trigger ? cloneElement(trigger, props) : null, shown: near || open, pane: { id, anchor, open, onOpenChange: setOpen } };
}

export type OverlayPane = ReturnType<typeof useOverlay>["pane"];
