"use client";

import { useSyncExternalStore } from "react";

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
export const usePageTitle = (): string =>
  useSyncExternalStore(
    subscribe,
    () => ownTitle(document.title),
    () => "",
  );
