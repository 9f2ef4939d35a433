import { usePathname } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";

export type RecentPage = { href: string; label: string };

const KEPT = 5;

/** By workspace and user: the next person at this browser must not see names of records. */
const storageKey = (scope: string) => `signalbox.recent.${scope}`;

export function recentPages(scope: string): RecentPage[] {
  return read(scope).filter(({ href }) => href !== location.pathname);
}

/** Keeps the title of every opened page below those in the navigation, which the palette lists anyway. */
export function RecentPages({ scope }: { scope: string }): null {
  const title = usePageTitle();
  useEffect(() => {
    const href = location.pathname;
    if (title === "" || href.split("/").length < 3) return;
    const kept = [{ href, label: title }, ...read(scope).filter((one) => one.href !== href)].slice(0, KEPT);
    try {
      localStorage.setItem(storageKey(scope), JSON.stringify(kept));
    } catch {
      // Storage is full or forbidden: the palette does without.
    }
  }, [title, scope]);
  return null;
}

/** Shows which of the section's pages this is, by its title; nothing on the section's own page. */
export function PageCrumb({ section }: { section: string }) {
  const title = usePageTitle();
  const path = usePathname();
  // The kind stands in the section's name: `Acme production · connection`.
  const name = title.replace(/ · [^·]+$/, "");
  if (name === "" || path === section) return null;
  return (
    <>
      <span aria-hidden className="text-faint">
        /
      </span>
      <span aria-current="page" className="min-w-0 truncate text-text">
        {name}
      </span>
    </>
  );
}

export function forgetRecentPages(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(storageKey(""))) localStorage.removeItem(key);
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}

function read(scope: string): RecentPage[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(scope)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRecentPage) : [];
  } catch {
    return [];
  }
}

/** Storage may hold anything: only paths of this app are followed. */
function isRecentPage(value: unknown): value is RecentPage {
  const { href, label } = (value ?? {}) as Partial<RecentPage>;
  return typeof href === "string" && /^\/[^/\\]/.test(href) && typeof label === "string";
}

const SUFFIX = " · Signalbox";

function subscribe(onChange: () => void) {
  const observer = new MutationObserver(onChange);
  // Navigation may replace the element as well as its text.
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  return () => observer.disconnect();
}

/** Returns the page's part of the tab's title: `(5) Members · Signalbox` -> `Members`; empty if there is none. */
export function ownTitle(title: string): string {
  const words = title.replace(/^\([\d,]+\+?\) /, "");
  return words.endsWith(SUFFIX) ? words.slice(0, -SUFFIX.length) : "";
}

/** Returns the page's title without the product's name. It changes a moment after the URL. */
const usePageTitle = (): string =>
  useSyncExternalStore(
    subscribe,
    () => ownTitle(document.title),
    () => "",
  );
