import { overlay } from "./overlay.tsx";
import type { MenuContent } from "./panes/menu-pane.tsx";
import type { PopoverContent } from "./panes/popover-pane.tsx";

export const Popover = overlay<PopoverContent>("dialog", () => import("./panes/popover-pane.tsx").then((module) => module.PopoverPane));

export const DropdownMenu = overlay<MenuContent>("menu", () => import("./panes/menu-pane.tsx").then((module) => module.MenuPane));
