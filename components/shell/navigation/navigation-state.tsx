"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useOffline } from "next/offline";
import { useEffect, useSyncExternalStore } from "react";
import { StateIcon } from "#components/ui/feedback/state-icon";
import { navigationEnded, onNavigation, pendingNavigation } from "#lib/client/navigation";

/**
 * Shows that a page is being opened: a line at the top, on a slow network within 100 ms of the click. Without a connection
 * Next keeps the navigation and goes on with it by itself (docs/decisions/0100): until then a bar says so.
 */
export function NavigationState() {
  const offline = useOffline();
  const pending = useSyncExternalStore(onNavigation, pendingNavigation, () => null);
  const path = usePathname();
  const query = useSearchParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation has ended when the URL is another.
  useEffect(navigationEnded, [path, query]);
  return (
    <>
      {pending !== null && !offline ? <div data-pending className="pending-line fixed top-0 right-0 left-0 z-50 h-0.5 bg-accent" /> : null}
      <div role="status" className="pointer-events-none fixed right-4 bottom-20 left-4 z-40 flex justify-center rail:bottom-6">
        {offline ? (
          <p className="flex items-center gap-2 rounded-md border border-attention-line bg-attention-surface px-4 py-2 text-13 shadow-raised">
            <StateIcon state="attention" />
            No connection to Signalbox. You see what was loaded last; the page you open next appears when the connection is back.
          </p>
        ) : null}
      </div>
    </>
  );
}
