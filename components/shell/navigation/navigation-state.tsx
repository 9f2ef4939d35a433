"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { navigationEnded, onNavigation, pendingNavigation } from "#lib/client/navigation";

// Not in the first load.
export const TabState = lazyComponent(() => import("../tab-state.tsx").then((module) => module.TabState), true);

/** Shows within 100 ms of a click that a page is being opened, also on a slow network. */
export function NavigationState() {
  const pending = useSyncExternalStore(onNavigation, pendingNavigation, () => null);
  const path = usePathname();
  const query = useSearchParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation has ended when the URL is another.
  useEffect(navigationEnded, [path, query]);
  return pending === null ? null : <div data-pending className="pending-line fixed top-0 right-0 left-0 z-50 h-0.5 bg-accent" />;
}
