import { useSyncExternalStore } from "react";
import type { ExternalToast } from "sonner";

type Kind = "success" | "error" | "warning" | "info";
export type Toast = { kind: Kind; what: string; more: Pick<ExternalToast, "description" | "action"> | undefined };

/** Toasts raised before the toaster has loaded. */
const queued: Toast[] = [];
let show: ((toast: Toast) => void) | null = null;

const listeners = new Set<() => void>();
let requested = false;

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

/** Says what happened and names the object: `toast.success("Re-delivered 3 events")`. */
export const toast = { success: raise("success"), error: raise("error"), warning: raise("warning"), info: raise("info") };

/** Reports a change's outcome even if the component has gone: callbacks of `mutate` end with it, promises of `mutateAsync` don't. */
export function tellOutcome<T>(change: Promise<T>, done: (result: T) => void, failed: string): void {
  void change.then(done, (error: Error) => toast.error(failed, { description: error.message }));
}

/** Passes every toast to `showing`, queued ones first. Returns the function that stops it. */
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

export function useToasterRequested(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => requested,
    () => false,
  );
}
