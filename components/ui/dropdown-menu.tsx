"use client";

import type { ReactElement } from "react";
import { later } from "#components/ui/later";
import type { MenuEntry } from "#components/ui/menu-entry";
import { useOverlay } from "#components/ui/use-overlay";

const Pane = later(() => import("#components/ui/menu-pane").then((module) => module.MenuPane));

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
