"use client";

import { overlay } from "./overlay.tsx";
import type { DialogContent } from "./panes/dialog-pane.tsx";

/** A modal window. The focus stays inside, on the first field to begin with; Escape closes it, unless `closes` says otherwise. */
export const Dialog = overlay<DialogContent>("dialog", () => import("./panes/dialog-pane.tsx").then((module) => module.DialogPane));
