"use client";

import { overlay } from "./overlay.tsx";
import type { MenuContent } from "./panes/menu-pane.tsx";

export const DropdownMenu = overlay<MenuContent>("menu", () => import("./panes/menu-pane.tsx").then((module) => module.MenuPane));
