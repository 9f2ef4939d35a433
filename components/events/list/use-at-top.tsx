"use client";

import { useCallback, useRef, useState } from "react";

/** True if the element with `ref` is visible: then new rows can be added at the top without moving what someone reads. */
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
