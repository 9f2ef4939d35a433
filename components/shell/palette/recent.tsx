"use client";

import { useEffect } from "react";
import { usePageTitle } from "#components/shell/page-title";

/** A page that was open: its URL and its title. */
export type RecentPage = { href: string; label: string };

const KEPT = 5;

/** Names of records are not for the next person at this browser: the list is of a workspace and a user. */
const storageKey = (scope: string) => `signalbox.recent.${scope}`;

/** The pages that were open last, the newest first; not the one that is open now. */
export function recentPages(scope: string): RecentPage[] {
  return read(scope).filter(({ href }) => href !== location.pathname);
}

/** Keeps the title of every page that is opened. Pages of the navigation are left out: they are listed anyway. */
export function RecentPages({ scope }: { scope: string }): null {
  const title = usePageTitle();
  useEffect(() => {
    const href = location.pathname;
    if (title === "" || href.split("/").length < 3) return;
    const kept = [{ href, label: title }, ...read(scope).filter((one) => one.href !== href)].slice(0, KEPT);
    try {
      localStorage.setItem(storageKey(scope), JSON.stringify(kept));
    } catch {
      // Full or forbidden: the palette does without.
    }
  }, [title, scope]);
  return null;
}

/** Forgets them, at sign-out. */
export function forgetRecentPages(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(storageKey(""))) localStorage.removeItem(key);
}

function read(scope: string): RecentPage[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(scope)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRecentPage) : [];
  } catch {
    return [];
  }
}

/** Anything may stand in the storage: only paths of ours are followed. */
function isRecentPage(value: unknown): value is RecentPage {
  const { href, label } = (value ?? {}) as Partial<RecentPage>;
  return typeof href === "string" && /^\/[^/\\]/.test(href) && typeof label === "string";
}
