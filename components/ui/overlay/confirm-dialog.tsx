"use client";

import { overlay } from "./overlay.tsx";
import type { ConfirmContent } from "./panes/confirm-pane.tsx";

export const ConfirmDialog = overlay<ConfirmContent>("dialog", () =>
  import("./panes/confirm-pane.tsx").then((module) => module.ConfirmPane),
);
