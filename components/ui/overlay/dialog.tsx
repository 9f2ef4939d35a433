import { overlay } from "./overlay.tsx";
import type { ConfirmContent } from "./panes/confirm-pane.tsx";
import type { DialogContent } from "./panes/dialog-pane.tsx";

/** A modal window. Focuses its first field; Escape closes it unless `closes` says otherwise. */
export const Dialog = overlay<DialogContent>("dialog", () => import("./panes/dialog-pane.tsx").then((module) => module.DialogPane));

export const ConfirmDialog = overlay<ConfirmContent>("dialog", () =>
  import("./panes/confirm-pane.tsx").then((module) => module.ConfirmPane),
);
