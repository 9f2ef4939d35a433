import { type ComponentType, cloneElement, type KeyboardEvent, type ReactElement, useId, useRef, useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";

type Opening = { open?: boolean | undefined; onOpenChange?: ((open: boolean) => void) | undefined };

/** Without `trigger`, the parent opens it. */
type OverlayProps<Content> = Content & Opening & { trigger?: ReactElement | undefined };

/** Makes a menu, popover or dialog with its button. The pane's code loads when the pointer or focus reaches the button. */
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
  const holds = useRef<(() => boolean) | null>(null);
  const prepare = () => setNear(true);
  const props = {
    ref: anchor,
    "aria-haspopup": role,
    "aria-expanded": open,
    ...(open && { "aria-controls": id }),
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: () => (open && holds.current?.()) || setOpen(!open),
    ...(role === "menu" && {
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        setOpen(true);
      },
    }),
  };
  return {
    button: trigger ? cloneElement(trigger, props) : null,
    shown: near || open,
    pane: { id, anchor, open, onOpenChange: setOpen, holds },
  };
}

export type OverlayPane = ReturnType<typeof useOverlay>["pane"];
