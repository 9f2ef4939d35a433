"use client";

import { createContext, useContext, useEffect } from "react";
import { Button } from "#components/ui/button";

/** Fetches the part anew. */
export const TryAgain = createContext<() => void>(() => undefined);

const AGAIN_MS = 5000;

/** What stands in for a part of the page whose code did not come. `open`: an overlay that is only being prepared says nothing. */
export function PartMissing({ open = true }: { open?: boolean }) {
  const tryAgain = useContext(TryAgain);
  if (!open) return null;
  return (
    <div
      role="alert"
      className="fixed right-4 bottom-20 left-4 z-50 mx-auto flex max-w-[420px] items-center gap-3 rounded-md border border-line-strong bg-raised px-4 py-3 text-13 shadow-raised"
    >
      <p className="min-w-0 flex-1">This part did not load: the line to Signalbox is broken. The page itself stands.</p>
      <Button size="sm" onClick={tryAgain}>
        Try again
      </Button>
    </div>
  );
}

/** The same for a part that nobody asked for: it is tried again until it comes. */
export function PartAwaited() {
  const tryAgain = useContext(TryAgain);
  useEffect(() => {
    const timer = setTimeout(tryAgain, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [tryAgain]);
  return null;
}
