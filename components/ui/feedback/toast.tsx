"use client";

import { useSyncExternalStore } from "react";
import type { ExternalToast } from "sonner";

type Kind = "success" | "error" | "warning" | "info";
export type Toast = { kind: Kind; what: string; more: Pick<ExternalToast, "description" | "action"> | undefined };

/** Toasts raised before the toaster loaded, and the toaster's function from then on. */
const queued: Toast[] = [];
let show: ((toast: Toast) => void) | null = null;

const listeners = new Set<() => void>();
let requested = false;

/** Loads the toaster. */
export function requestToaster() {
  requested = true;
  for (const listener of listeners) listener();
}

const raise = (kind: Kind) => (what: string, more?: Toast["more"]) => {
  const toast = { kind, what, more };
  if (show) return show(toast);
  queued.push(toast);
  requestToaster();
};

/** `toast.success("Re-delivered 3 events")`, `toast.error(what, { description: why })`: states what happened and names the object. */
export const toast = { success: raise("success"), error: raise("error"), warning: raise("warning"), info: raise("info") };

/**
 * States how a change ended, also when what asked for it has left the page by then: callbacks of `mutate` end with their
 * component, promises of `mutateAsync` don't.
 *
 * @param done states that it worked
 * @param failed title of the error
 */
export function tellOutcome<T>(change: Promise<T>, done: (result: T) => void, failed: string): void {
  void change.then(done, (error: Error) => toast.error(failed, { description: error.message }));
}

/** Passes every toast to `showing`, queued ones first. @returns the function that stops it */
export function showToasts(showing: (toast: Toast) => void): () => void {
  show = showing;
  for (const toast of queued.splice(0)) showing(toast);
  return () => {
    show = null;
  };
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** True if the toaster has to be rendered. */
export function useToasterRequested(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => requested,
    () => false,
  );
}
