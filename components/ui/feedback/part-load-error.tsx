"use client";

import { createContext, useContext, useEffect } from "react";
import { Button } from "#components/ui/primitives/button";

export const TryAgain = createContext<() => void>(() => undefined);

const RETRY_MS = 5000;

/** Replaces a part of the page whose code failed to load. `open`: a closed overlay shows nothing. */
export function PartLoadError({ open = true }: { open?: boolean }) {
  const tryAgain = useContext(TryAgain);
  if (!open) return null;
  return (
    <div
      role="alert"
      className="fixed right-4 bottom-20 left-4 z-50 mx-auto flex max-w-[420px] items-center gap-3 rounded-md border border-line-strong bg-raised px-4 py-3 text-13 shadow-raised"
    >
      <p className="min-w-0 flex-1">Couldn't load this part of the page: no connection to Signalbox.</p>
      <Button size="sm" onClick={tryAgain}>
        Try again
      </Button>
    </div>
  );
}

/** Retries a part that loads in the background until it loads. */
export function PartRetry() {
  const tryAgain = useContext(TryAgain);
  useEffect(() => {
    const timer = setTimeout(tryAgain, RETRY_MS);
    return () => clearTimeout(timer);
  }, [tryAgain]);
  return null;
}
