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

/**
 * Reports a change's outcome even if the component has gone: callbacks of `mutate` end with it, promises of `mutateAsync` don't.
 * @param done the sentence that says it succeeded, or returns or shows one
 */
export function tellOutcome<T>(change: Promise<T>, done: string | ((result: T) => unknown), failed: string): void {
  void change.then(
    (result) => {
      const said = typeof done === "string" ? done : done(result);
      if (typeof said === "string") toast.success(said);
    },
    (error: Error) => toast.error(failed, { description: error.message }),
  );
}

/** Reports a change only if it fails: its success is seen. */
export const tellFailure = (change: Promise<unknown>, failed: string): void => tellOutcome(change, () => undefined, failed);

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
