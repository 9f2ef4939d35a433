import { useRef } from "react";
import { isFocusFree } from "#components/ui/overlay/focus";
import { cn } from "#components/ui/primitives/cn";
import type { OverlayPane } from "../overlay.tsx";

export type PaneOptions = { label: string; align?: "start" | "center" | "end"; className?: string };

/** Returns the props of a pane's content. Closing returns the focus to the button, unless a click elsewhere closed it. */
export function usePaneContent({ id, anchor }: OverlayPane, { label, align = "start", className }: PaneOptions) {
  const elsewhere = useRef(false);
  return {
    id,
    "aria-label": label,
    align,
    sideOffset: 4,
    collisionPadding: 8,
    className: cn("enter-rise z-50 rounded-md border border-line-strong bg-raised shadow-raised", className),
    onInteractOutside: (event: Event) => {
      if (event.target instanceof Node && anchor.current?.contains(event.target)) event.preventDefault();
      else elsewhere.current = true;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (!elsewhere.current && isFocusFree()) anchor.current?.focus();
      elsewhere.current = false;
    },
  };
}
