"use client";

import { overlay } from "./overlay.tsx";
import type { ConfirmContent } from "./panes/confirm-pane.tsx";

/** Asks before an action that can't be undone. */
export const ConfirmDialog = overlay<ConfirmContent>("dialog", () =>
  import("./panes/confirm-pane.tsx").then((module) => module.ConfirmPane),
);
