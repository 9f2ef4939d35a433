"use client";

import { overlay } from "./overlay.tsx";
import type { MenuContent } from "./panes/menu-pane.tsx";

/** A menu that opens from a button. */
export const DropdownMenu = overlay<MenuContent>("menu", () => import("./panes/menu-pane.tsx").then((module) => module.MenuPane));
