"use client";

import type { ReactElement, ReactNode } from "react";
import { later } from "#components/ui/later";
import { useOverlay } from "#components/ui/use-overlay";

const Pane = later(() => import("#components/ui/popover-pane").then((module) => module.PopoverPane));

type PopoverProps = {
  trigger: ReactElement;
  label: string;
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  children: ReactNode;
};

/** A small pane beside the control that opened it: filters, a pick of time. */
export function Popover({ trigger, open, onOpenChange, ...rest }: PopoverProps) {
  const overlay = useOverlay("dialog", trigger, { open, onOpenChange });
  return (
    <>
      {overlay.trigger}
      {overlay.shown ? <Pane {...rest} {...overlay.pane} /> : null}
    </>
  );
}
