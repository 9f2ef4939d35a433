"use client";

import type { ReactElement } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import type { MenuEntry } from "./menu-entry.tsx";
import { useOverlay } from "./use-overlay.tsx";

const Pane = lazyComponent(() => import("./panes/menu-pane.tsx").then((module) => module.MenuPane));

type MenuProps = {
  trigger: ReactElement;
  /** What the menu is called. */
  label: string;
  entries: MenuEntry[];
  align?: "start" | "center" | "end";
  className?: string;
};

/** A menu that opens from a button. */
export function DropdownMenu({ trigger, ...rest }: MenuProps) {
  const overlay = useOverlay("menu", trigger);
  return (
    <>
      {overlay.trigger}
      {overlay.shown ? <Pane {...rest} {...overlay.pane} /> : null}
    </>
  );
}
