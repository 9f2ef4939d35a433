"use client";

import { useSyncExternalStore } from "react";
import type { ExternalToast } from "sonner";

type Kind = "success" | "error" | "warning" | "info";
export type Toast = { kind: Kind; what: string; more: Pick<ExternalToast, "description"> | undefined };

/** What was said before there was a place to show it, and who shows it from then on. */
const unsaid: Toast[] = [];
let show: ((toast: Toast) => void) | null = null;

const listeners = new Set<() => void>();
let wanted = false;

/** Brings the place to show them. */
export function wantToasts() {
  wanted = true;
  for (const listener of listeners) listener();
}

const say = (kind: Kind) => (what: string, more?: Toast["more"]) => {
  const toast = { kind, what, more };
  if (show) return show(toast);
  unsaid.push(toast);
  wantToasts();
};

/** `toast.success("Re-delivered 3 events")`, `toast.error(what, { description: why })`: say what happened, with the object's name. */
export const toast = { success: say("success"), error: say("error"), warning: say("warning"), info: say("info") };

/** Hands every toast to `showing`, those that waited first. @returns what ends it */
export function showToasts(showing: (toast: Toast) => void): () => void {
  show = showing;
  for (const toast of unsaid.splice(0)) showing(toast);
  return () => {
    show = null;
  };
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Whether there has to be a place to show them. */
export function useToastsWanted(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => wanted,
    () => false,
  );
}
