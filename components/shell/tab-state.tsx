import { useEffect } from "react";
import { useCounts } from "#lib/client/queries/counts";
import { cappedNumber } from "#lib/contracts/format-count";
import { waitingFor } from "./navigation/navigation.tsx";

/** Counts are capped: the last exact one. */
const EXACT = 1000;

/** Returns a tab's title with the count in front: `Events · Signalbox` -> `(5) Events · Signalbox`. */
export function titleWith(count: number, title: string): string {
  const plain = title.replace(/^\([\d,]+\+?\) /, "");
  if (count === 0) return plain;
  return `(${cappedNumber(count, EXACT)}) ${plain}`;
}

export function TabState() {
  const { data } = useCounts();
  const count = data ? waitingFor(data) : 0;
  useEffect(() => {
    function show() {
      const title = titleWith(count, document.title);
      if (title !== document.title) document.title = title;
      const href = count === 0 ? "/icon.svg" : "/icon-attention.svg";
      // Removing React's icon would make React add it again.
      for (const icon of document.head.querySelectorAll("link[rel=icon][type='image/svg+xml']"))
        if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
    }
    show();
    // Navigation resets the title and the icon.
    const observer = new MutationObserver(show);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
  return null;
}
