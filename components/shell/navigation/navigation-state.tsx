"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { reachSentence, useReach } from "#components/shell/live/connection";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { StateIcon } from "#components/ui/primitives/badge";
import { connection, isLost, navigationEnded, onNavigation, pendingNavigation } from "#lib/client/connection";

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

/** Holds the requested page until the connection is back (docs/decisions/0100): a click would lead to the browser's error page. */
export function LostConnection() {
  const reach = useReach();
  const router = useRouter();
  const next = useRef<string | null>(null);
  useEffect(() => {
    const endWatch = connection.watch();
    addEventListener("click", holdLink, true);
    return () => {
      endWatch();
      removeEventListener("click", holdLink, true);
    };
  }, []);
  useEffect(() => {
    if (!isLost(reach) && next.current !== null) router.push(next.current);
    next.current = reach.next;
  }, [reach, router]);
  return (
    <div role="status" className="pointer-events-none fixed right-4 bottom-20 left-4 z-40 flex justify-center rail:bottom-6">
      {!isLost(reach) && reach.is !== "not_ready" ? null : (
        <p className="flex items-center gap-2 rounded-md border border-attention-line bg-attention-surface px-4 py-2 text-13 shadow-raised">
          <StateIcon state="attention" />
          <span>
            {`${reachSentence(reach)} `}
            {reach.next === null ? "Showing the data loaded last." : "The page you chose opens when the connection is back."}
          </span>
        </p>
      )}
    </div>
  );
}

function holdLink(click: MouseEvent): void {
  const link = click.target instanceof Element ? click.target.closest("a") : null;
  if (link === null || click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
  const opensHere = link.origin === location.origin && link.target === "" && !link.hasAttribute("download");
  const withinPage = link.pathname === location.pathname && link.search === location.search;
  if (!opensHere || withinPage || !connection.hold(link.pathname + link.search + link.hash)) return;
  click.preventDefault();
  click.stopPropagation();
}
