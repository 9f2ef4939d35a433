"use client";

import { useCallback, useEffect, useRef, useState } from "react";

/** A pointer that only crosses a link is gone by then. Milliseconds. */
const REST_MS = 80;

/**
 * True while the pointer rests on a link or has pressed it, or the keyboard has focused it: its page is worth fetching ahead.
 * Ends when the pointer leaves, so that Next does not fetch the page again and again.
 */
export function useNear() {
  const [near, setNear] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const leave = useCallback(() => {
    clearTimeout(timer.current);
    setNear(false);
  }, []);
  const approach = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setNear(true), REST_MS);
  }, []);
  const press = useCallback(() => {
    clearTimeout(timer.current);
    setNear(true);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { near, handlers: { onPointerEnter: approach, onPointerLeave: leave, onPointerDown: press, onFocus: approach, onBlur: leave } };
}
