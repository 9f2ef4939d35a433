"use client";

import { useLayoutEffect, useRef } from "react";

export function focusTitle() {
  const title = document.querySelector<HTMLElement>("#content h1");
  if (!title) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

/** Moves the focus to the page's heading when the ref's element is removed; the browser would move it to the top of the document. */
export function useKeepFocus<Kept extends HTMLElement>() {
  const ref = useRef<Kept>(null);
  useLayoutEffect(() => {
    const kept = ref.current;
    return () => {
      if (kept?.contains(document.activeElement)) focusTitle();
    };
  }, []);
  return ref;
}
