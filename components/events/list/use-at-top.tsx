"use client";

import { useCallback, useRef, useState } from "react";

/** True while the element with `ref` is visible: new rows can then be added on top without moving the ones being read. */
export function useAtTop(): { atTop: boolean; ref: (mark: Element | null) => void } {
  const [atTop, setAtTop] = useState(true);
  const observer = useRef<IntersectionObserver | null>(null);
  const ref = useCallback((mark: Element | null) => {
    observer.current?.disconnect();
    observer.current = null;
    if (!mark) return;
    observer.current = new IntersectionObserver(([entry]) => setAtTop(entry?.isIntersecting ?? true), { rootMargin: "0px 0px 0px 0px" });
    observer.current.observe(mark);
  }, []);
  return { atTop, ref };
}
