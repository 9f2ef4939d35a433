"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { navigationEnded, onNavigation, pendingNavigation } from "#lib/client/navigation";

// Not of the first load: it is there once the page is.
export const TabState = lazyComponent(() => import("../tab-state.tsx").then((module) => module.TabState), true);

/** Shows that a page is being opened: a line at the top, on a slow network within 100 ms of the click. */
export function NavigationState() {
  const pending = useSyncExternalStore(onNavigation, pendingNavigation, () => null);
  const path = usePathname();
  const query = useSearchParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation has ended when the URL is another.
  useEffect(navigationEnded, [path, query]);
  return pending === null ? null : <div data-pending className="pending-line fixed top-0 right-0 left-0 z-50 h-0.5 bg-accent" />;
}
