import { overlay } from "./overlay.tsx";
import type { MenuContent } from "./panes/menu-pane.tsx";
import type { PopoverContent } from "./panes/popover-pane.tsx";

const loadPopover = () => import("./panes/popover-pane.tsx").then((module) => module.PopoverPane);

export const Popover = overlay<PopoverContent>("dialog", loadPopover);

/** Makes a popover that opens once what it shows has loaded too. */
export const popoverWith = (loadContent: () => Promise<unknown>) =>
  overlay<PopoverContent>("dialog", () => Promise.all([loadPopover(), loadContent()]).then(([pane]) => pane));

export const DropdownMenu = overlay<MenuContent>("menu", () => import("./panes/menu-pane.tsx").then((module) => module.MenuPane));
