"use client";

import type { ReactElement, ReactNode } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { useOverlay } from "./use-overlay.tsx";

const Pane = lazyComponent(() => import("./panes/popover-pane.tsx").then((module) => module.PopoverPane));

type PopoverProps = {
  trigger: ReactElement;
  label: string;
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  children: ReactNode;
};

/** A small pane beside the control that opened it: filters, a time range. */
export function Popover({ trigger, open, onOpenChange, ...rest }: PopoverProps) {
  const overlay = useOverlay("dialog", trigger, { open, onOpenChange });
  return (
    <>
      {overlay.trigger}
      {overlay.shown ? <Pane {...rest} {...overlay.pane} /> : null}
    </>
  );
}
