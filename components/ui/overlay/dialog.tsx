"use client";

import type { ReactElement } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import type { DialogContent } from "./panes/dialog-pane.tsx";
import { useOverlay } from "./use-overlay.tsx";

const Pane = lazyComponent(() => import("./panes/dialog-pane.tsx").then((module) => module.DialogPane));

type DialogProps = DialogContent & { trigger?: ReactElement; open?: boolean; onOpenChange?: (open: boolean) => void };

/** A modal window. The focus stays inside, on the first field to begin with; Escape closes it. */
export function Dialog({ trigger, open, onOpenChange, ...content }: DialogProps) {
  const overlay = useOverlay("dialog", trigger, { open, onOpenChange });
  return (
    <>
      {overlay.trigger}
      {overlay.shown ? <Pane {...content} {...overlay.pane} /> : null}
    </>
  );
}
