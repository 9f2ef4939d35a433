"use client";

import type { ReactElement } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import type { ConfirmContent } from "./panes/confirm-pane.tsx";
import { useOverlay } from "./use-overlay.tsx";

const Pane = lazyComponent(() => import("./panes/confirm-pane.tsx").then((module) => module.ConfirmPane));

type ConfirmDialogProps = ConfirmContent & { trigger?: ReactElement; open?: boolean; onOpenChange?: (open: boolean) => void };

/** Asks before an action that can't be undone. */
export function ConfirmDialog({ trigger, open, onOpenChange, ...content }: ConfirmDialogProps) {
  const overlay = useOverlay("dialog", trigger, { open, onOpenChange });
  return (
    <>
      {overlay.trigger}
      {overlay.shown ? <Pane {...content} {...overlay.pane} /> : null}
    </>
  );
}
